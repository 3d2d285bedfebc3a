import { setTimeout as sleep } from 'node:timers/promises';
import { SeineError } from './errors.ts';

/** Full jitter: a random pause up to an exponential bound, so that many waiters don't retry together. */
export function backoff(attempt: number, { firstMs = 100, maxMs = 5000 } = {}): number {
  return Math.random() * Math.min(maxMs, firstMs * 2 ** attempt);
}

/** Injectable sleep; the signal ends it early. Only replaced by simulations, which have virtual time. */
export const timers = {
  sleep: (ms: number, signal?: AbortSignal): Promise<void> =>
    sleep(ms, undefined, signal && { signal }).catch(() => {}),
};

export interface RetryOptions {
  readonly forMs: number;
  readonly signal?: AbortSignal | undefined;
  /** How long retries continue after the signal, where giving up would lose work (default 0). */
  readonly graceMs?: number;
}

/**
 * Retries while the error is retryable, for at most `forMs`, and for `graceMs` once the signal is aborted.
 */
export async function withRetry<T>(
  fn: () => Promise<T>,
  { forMs, signal, graceMs = 0 }: RetryOptions,
): Promise<T> {
  let deadline = performance.now() + forMs;
  let isStopping = false;
  for (let attempt = 0; ; attempt++) {
    try {
      return await fn();
    } catch (error) {
      if (signal?.aborted && !isStopping) {
        isStopping = true;
        deadline = Math.min(deadline, performance.now() + graceMs);
      }
      const isRetryable = error instanceof SeineError && error.retry;
      if (!isRetryable || performance.now() >= deadline) throw error;
      await timers.sleep(50 + backoff(attempt), isStopping ? undefined : signal);
    }
  }
}
