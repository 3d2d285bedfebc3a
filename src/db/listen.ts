import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { mapDbError } from './db-errors.ts';
import { destroySocket } from './statement-watchdog.ts';

export interface ListenOptions {
  /** The configuration of the connection; null: listening is not possible. */
  readonly config: () => Promise<pg.ClientConfig | null>;
  /** Called after a failure, before the next attempt. */
  readonly ensureRunning: () => Promise<unknown>;
  /** Called once, when the first connection failed. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Notifications are hints: the first connection is waited for at most this long, and then made in the
 * background.
 */
const START_MS = 2000;
const ANSWER_MS = 20_000;
const CLOSE_TIMEOUT_MS = 3000;

/**
 * Listens for NOTIFY on a separate connection, and reconnects when it breaks or could not be made.
 * Notifications sent meanwhile are lost, so after each connection except an immediate first one `heard('')`
 * asks the listener to poll. Never fails: listeners also poll.
 */
export async function listen(
  channel: string,
  onPayload: (payload: string) => void,
  { config, ensureRunning, onFailure }: ListenOptions,
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const { signal } = stop;
  let client = null as pg.Client | null;
  /** Notifications may have been lost before the next connection. */
  let isLate = false;
  let isTold = false;

  /** Returns false if listening is not possible. */
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
        isTold = true; // later outages are reported by statements
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
