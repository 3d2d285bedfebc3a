import { setTimeout as sleep } from 'node:timers/promises';
import { SeineError } from './errors.ts';

/** Full jitter: a random pause up to the doubled one before it, so that many waiters don't come back together. */
export function backoff(attempt: number, { firstMs = 100, mostMs = 5000 } = {}): number {
  return Math.random() * Math.min(mostMs, firstMs * 2 ** attempt);
}

/** How a pause is spent; the signal ends it early. A simulation has its own time and replaces it; nothing else does. */
export const timers = {
  sleep: (ms: number, signal?: AbortSignal): Promise<void> =>
    sleep(ms, undefined, signal && { signal }).catch(() => {}),
};

export interface RetryOptions {
  readonly forMs: number;
  readonly signal?: AbortSignal | undefined;
  /** How long it may go on after the signal: what would be lost is worth a few more tries (none, unless told). */
  readonly graceMs?: number;
}

/** Tries again while the error says that it may help, for at most `forMs`, and for `graceMs` once the signal has come. */
export async function withRetry<T>(
  fn: () => Promise<T>,
  { forMs, signal, graceMs = 0 }: RetryOptions,
): Promise<T> {
  let giveUp = performance.now() + forMs;
  let asked = false;
  for (let attempt = 0; ; attempt++) {
    try {
      return await fn();
    } catch (error) {
      if (signal?.aborted && !asked) {
        asked = true;
        giveUp = Math.min(giveUp, performance.now() + graceMs);
      }
      const again = error instanceof SeineError && error.retry;
      if (!again || performance.now() >= giveUp) throw error;
      await timers.sleep(50 + backoff(attempt), asked ? undefined : signal);
    }
  }
}
