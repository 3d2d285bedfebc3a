import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { mapDbError } from './db-errors.ts';
import { destroySocket } from './statement-watchdog.ts';

export interface ListenOptions {
  /** Where to listen; null: nothing can be heard there. */
  readonly config: () => Promise<pg.ClientConfig | null>;
  /** After a failure, before the next try. */
  readonly ensureRunning: () => Promise<unknown>;
  /** Told once, when the first connection could not be made. */
  readonly onFailure: (error: unknown) => void;
}

/** Notifications are hints: nobody waits longer than this for the first connection, it is made in the background then. */
const START_MS = 2000;
const ANSWER_MS = 20_000;
const CLOSE_TIMEOUT_MS = 3000;

/**
 * Hears NOTIFY on a connection of its own, and connects again when it breaks or could not be made. What was said meanwhile is lost, so after
 * every new connection but an immediate first one `heard('')` asks the listener to look for itself. It never fails: whoever listens also looks
 * now and then.
 */
export async function listen(
  channel: string,
  onPayload: (payload: string) => void,
  { config, ensureRunning, onFailure }: ListenOptions,
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const { signal } = stop;
  let client = null as pg.Client | null;
  /** A connection that comes now may have missed something. */
  let isLate = false;
  let isTold = false;

  /** False: there is nothing to be heard. */
  async function connect(): Promise<boolean> {
    const where = await config();
    if (where === null || signal.aborted) return false;
    const next = new pg.Client(where);
    next.on('error', () => {});
    next.on('notification', (message) => onPayload(message.payload ?? ''));
    client = next;
    try {
      await next.connect();
      const text = `listen ${next.escapeIdentifier(channel)}`;
      await next.query({ text, query_timeout: ANSWER_MS } as pg.QueryConfig);
    } catch (error) {
      next.end().catch(() => {});
      throw mapDbError(error);
    }
    next.once('end', () => void keepConnected());
    return true;
  }

  async function keepConnected(): Promise<void> {
    for (let wait = 100; !signal.aborted; wait = Math.min(wait * 2, 5_000)) {
      try {
        const isHearing = await connect();
        isTold = true; // an outage later on is told by those who need the database
        if (isHearing && isLate) onPayload('');
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!isTold) onFailure(error);
        isTold = true;
        isLate = true;
        await ensureRunning().catch(() => {});
        await sleep(wait, null, { signal }).catch(() => {});
      }
    }
  }

  const first = keepConnected();
  const soon = new AbortController();
  await Promise.race([first, sleep(START_MS, null, { signal: soon.signal }).catch(() => {})]);
  soon.abort();
  isLate = true;

  return async () => {
    stop.abort();
    const last = client;
    if (last === null) return;
    const late = setTimeout(() => destroySocket(last), CLOSE_TIMEOUT_MS);
    await last.end().finally(() => clearTimeout(late));
  };
}
