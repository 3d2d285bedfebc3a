import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { explain } from './failures.ts';

/**
 * Hears NOTIFY on a connection of its own, and connects again when it breaks. What was said meanwhile is lost, so after
 * every new connection `heard('')` asks the listener to look for itself.
 */
export async function listen(
  config: () => pg.ClientConfig,
  channel: string,
  heard: (payload: string) => void,
  revive: () => Promise<void> | undefined,
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  let client = await connect();

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client(config());
    next.on('error', () => {});
    next.on('notification', (message) => heard(message.payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${next.escapeIdentifier(channel)}`);
    } catch (error) {
      next.end().catch(() => {});
      throw explain(error);
    }
    next.once('end', reconnect);
    return next;
  }

  async function reconnect(): Promise<void> {
    for (let wait = 100; !stop.signal.aborted; wait = Math.min(wait * 2, 5_000)) {
      try {
        client = await connect();
        if (stop.signal.aborted) await client.end();
        else heard('');
        return;
      } catch {
        await revive()?.catch(() => {});
        await sleep(wait, null, { signal: stop.signal }).catch(() => {});
      }
    }
  }

  return async () => {
    stop.abort();
    await client.end();
  };
}
