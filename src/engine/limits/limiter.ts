/**
 * Rate limits shared by all workers. A worker has one limiter; a request of a quota takes a token before it is sent.
 * limit.ts explains why the limit holds, quota-limiter.ts how a worker waits.
 */
import type { Database } from '../../db/database.ts';
import type { TokenBucket } from './bucket.ts';
import { type Rate, toLimit } from './limit.ts';
import { createPgBucket } from './pg-bucket.ts';
import { type LimiterStats, QuotaLimiter } from './quota-limiter.ts';
import { type Rates, rateFor } from './rates.ts';
import { createRedisBucket } from './redis-bucket.ts';

export interface Limiter {
  /** Resolves when `tokens` requests may be sent; rejects with the signal's reason when it is aborted. */
  take(quota: string, tokens: number, signal: AbortSignal): Promise<void>;
  /** Overrides the default rate of this quota. All workers must set the same. */
  setRate(quota: string, rate: Rate): void;
  /** Called when the provider throttled a request, with its Retry-After if it sent one. */
  throttled(quota: string, retryAfterMs: number | null): void;
  /** One entry for each quota in use. */
  stats(): LimiterStats[];
  close(): Promise<void>;
}

export interface LimiterOptions {
  readonly db: Database;
  /** Keeps the buckets in Redis, for high rates; all workers must use the same. */
  readonly redisUrl?: string | undefined;
  /** Overrides of the default rates, by provider or quota. */
  readonly rates?: Rates;
  /**
   * The number of workers as far as known: they share the fallback rate while the buckets are unreachable.
   */
  readonly workers?: () => number;
  /** Logs a problem for people, once per occurrence. */
  readonly log?: (message: string) => void;
}

export function createLimiter(options: LimiterOptions): Limiter {
  const bucket = options.redisUrl ? createRedisBucket(options.redisUrl) : createPgBucket(options.db);
  return createLimiterOn(bucket, options);
}

export function createLimiterOn(
  bucket: TokenBucket,
  options: Omit<LimiterOptions, 'db' | 'redisUrl'>,
): Limiter {
  const { rates = {}, workers = () => 1, log = () => {} } = options;
  const limiters = new Map<string, QuotaLimiter>();

  function quotaLimiterFor(quota: string): QuotaLimiter {
    let limiter = limiters.get(quota);
    if (!limiter) {
      limiter = new QuotaLimiter({ quota, bucket, workers, log }, toLimit(rateFor(quota, rates)));
      limiters.set(quota, limiter);
    }
    return limiter;
  }

  return {
    take(quota, tokens, signal) {
      const limiter = quotaLimiterFor(quota);
      return tokens === 1 ? limiter.take(signal) : takeEach(limiter, tokens, signal);
    },
    setRate: (quota, rate) => quotaLimiterFor(quota).setLimit(toLimit(rate)),
    throttled: (quota, retryAfterMs) => quotaLimiterFor(quota).throttled(retryAfterMs ?? 0),
    stats: () => [...limiters.values()].map((limiter) => limiter.stats()),
    async close() {
      for (const limiter of limiters.values()) limiter.close();
      await bucket.close();
    },
  };
}

async function takeEach(limiter: QuotaLimiter, tokens: number, signal: AbortSignal): Promise<void> {
  for (let n = 0; n < tokens; n++) await limiter.take(signal);
}
