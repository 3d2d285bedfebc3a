/**
 * Rate limits shared by all workers. A worker has one limiter; a request of a quota takes a token before it is sent.
 * limit.ts tells why the limit holds, line.ts how a worker waits.
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
  /** What differs from the default for this quota, from now on. All workers must set the same. */
  setRate(quota: string, rate: Rate): void;
  /** The provider wants it slower, perhaps not before some time has passed. */
  throttled(quota: string, retryAfterMs: number | null): void;
  /** For each quota that was used. */
  stats(): LimiterStats[];
  close(): Promise<void>;
}

export interface LimiterOptions {
  readonly db: Database;
  /** Keeps the buckets in Redis, for high rates; all workers must use the same. */
  readonly redisUrl?: string | undefined;
  /** What differs from the defaults, by provider or quota. */
  readonly rates?: Rates;
  /** How many workers there are, as far as is known: they share what is allowed while the buckets can't be asked. */
  readonly workers?: () => number;
  /** Trouble, for people; once each time. */
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
  const lines = new Map<string, QuotaLimiter>();

  function quotaLimiterFor(quota: string): QuotaLimiter {
    let line = lines.get(quota);
    if (!line) {
      line = new QuotaLimiter({ quota, bucket, workers, log }, toLimit(rateFor(quota, rates)));
      lines.set(quota, line);
    }
    return line;
  }

  return {
    take(quota, tokens, signal) {
      const line = quotaLimiterFor(quota);
      return tokens === 1 ? line.take(signal) : takeEach(line, tokens, signal);
    },
    setRate: (quota, rate) => quotaLimiterFor(quota).setLimit(toLimit(rate)),
    throttled: (quota, retryAfterMs) => quotaLimiterFor(quota).throttled(retryAfterMs ?? 0),
    stats: () => [...lines.values()].map((line) => line.stats()),
    async close() {
      for (const line of lines.values()) line.close();
      await bucket.close();
    },
  };
}

async function takeEach(line: QuotaLimiter, tokens: number, signal: AbortSignal): Promise<void> {
  for (let n = 0; n < tokens; n++) await line.take(signal);
}
