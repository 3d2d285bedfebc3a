import { withRetry } from '../../base/retry.ts';

/**
 * Long enough for a failover, which may take minutes; if the lease is lost meanwhile, the next checkpoint
 * fails.
 */
export const DATABASE_RETRY_TIMEOUT_MS = 600_000;

export function retryThroughOutage<T>(fn: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return withRetry(fn, { forMs: DATABASE_RETRY_TIMEOUT_MS, signal });
}
