/**
 * Queues one worker's requests of one quota, first in, first out. Tokens are fetched from the bucket in
 * batches; a request that finds one at hand does not wait. While the bucket is unreachable, requests are
 * admitted at the fallback rate, and the bucket is retried.
 */

import { messageOf, SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import type { LimiterReply, TokenBucket } from './bucket.ts';
import { FallbackRate } from './fallback-rate.ts';
import { DECREASE_EVERY_MS, HORIZON_MS, type Limit, MAX_PAUSE_MS, MIN_RATE_SHARE } from './limit.ts';
import { TokenBatchSizer } from './token-batch-sizer.ts';
import { WaitQueue } from './wait-queue.ts';

export interface QuotaLimiterOptions {
  readonly quota: string;
  readonly bucket: TokenBucket;
  readonly workers: () => number;
  readonly log: (message: string) => void;
}

/** Waiting statistics of a quota, for display. */
export interface LimiterStats {
  readonly quota: string;
  /** Milliseconds in which at least one request waited. */
  readonly waitedMs: number;
  /** Requests that are waiting now. */
  readonly waiting: number;
  /** Requests to the bucket so far. */
  readonly bucketRequests: number;
  /** The current rate that all workers share. */
  readonly perSecond: number;
  /** The bucket is unreachable: this worker uses the fallback rate. */
  readonly degraded: boolean;
}

const MAX_SLEEP_MS = 5000;
/** A request to the bucket without a reply counts as lost after this. */
const REPLY_TIMEOUT_MS = 5000;
const COALESCE_MS = 100;
/** Longer waits are logged: nothing else shows why a scan makes no progress. */
const REPORTED_WAIT_MS = 10_000;
const ADMITTED = Promise.resolve();

export class QuotaLimiter {
  readonly #options: QuotaLimiterOptions;
  readonly #batchSizer = new TokenBatchSizer();
  readonly #fallback: FallbackRate;
  readonly #wakeSignal = new WakeSignal();
  readonly #queue = new WaitQueue();
  #limit: Limit;
  #tokens = 0;
  #tokensExpireAt = 0; // of the fetched tokens
  #pendingReply: Promise<LimiterReply> | null = null;
  #bucketRequests = 0;
  #requestedAt = 0;
  #retryAt = 0;
  #perSecond: number;
  #pausedUntil = 0;
  #decreasedAt = Number.NEGATIVE_INFINITY;
  #slowdowns = 0;
  /** End of the wait that was logged last. */
  #reportedUntil = 0;
  #slowdownSentAt = Number.NEGATIVE_INFINITY;
  #draining = false;
  #closed = false;

  constructor(options: QuotaLimiterOptions, limit: Limit) {
    this.#options = options;
    this.#fallback = new FallbackRate(options.workers);
    this.#limit = limit;
    this.#perSecond = limit.perSecond;
  }

  setLimit(limit: Limit): void {
    if (limit.perSecond === this.#limit.perSecond && limit.burst === this.#limit.burst) return;
    this.#limit = limit;
    this.#perSecond = limit.perSecond; // until the bucket replies
  }

  take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(closedError());
    if (this.#queue.size === 0 && this.#useToken(performance.now())) return ADMITTED;
    const admitted = this.#queue.enqueue(signal);
    if (!this.#draining) void this.#drainQueue();
    return admitted;
  }

  /** Drops the fetched tokens, so that the next request learns of the pause from the bucket. */
  throttled(pauseMs: number): void {
    const now = performance.now();
    const longer = pauseMs > 0 && now + pauseMs > this.#pausedUntil + COALESCE_MS;
    this.#tokens = 0;
    this.#slowdowns++;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(pauseMs, MAX_PAUSE_MS));
    this.#wakeSignal.notifyAll();
    if (!longer && now - this.#slowdownSentAt < COALESCE_MS) return; // one report covers all concurrent rejections
    this.#slowdownSentAt = now;
    const { bucket, quota } = this.#options;
    bucket.slow(quota, this.#limit, pauseMs).catch(() => this.#decreaseLocally(now));
  }

  stats(): LimiterStats {
    return {
      quota: this.#options.quota,
      waitedMs: this.#queue.waitedMs,
      waiting: this.#queue.size,
      bucketRequests: this.#bucketRequests,
      perSecond: this.#perSecond,
      degraded: this.#fallback.isDegraded,
    };
  }

  /** Rejects all waiting requests. Fetched tokens expire by themselves. */
  close(): void {
    this.#closed = true;
    this.#queue.rejectAll(closedError());
    this.#wakeSignal.notifyAll();
  }

  /** Runs while requests are waiting. */
  async #drainQueue(): Promise<void> {
    this.#draining = true;
    while (this.#queue.size > 0 && !this.#closed) {
      const now = performance.now();
      if (now < this.#pausedUntil) {
        this.#reportWait(this.#pausedUntil - now);
        await this.#sleepUntil(this.#pausedUntil);
      } else if (this.#useToken(now)) this.#queue.admitFirst();
      else if (this.#fallback.isDegraded && now < this.#retryAt) await this.#runDegraded(now);
      else await this.#fetchTokens(now);
    }
    this.#draining = false;
  }

  #useToken(now: number): boolean {
    if (this.#tokens === 0 || now >= this.#tokensExpireAt) return false;
    this.#tokens--;
    this.#batchSizer.recordUse();
    return true;
  }

  async #fetchTokens(requestedAt: number): Promise<void> {
    const slowdowns = this.#slowdowns;
    const limit = this.#limit;
    const reply = await this.#requestTokens(
      limit,
      this.#batchSizer.nextBatchSize(requestedAt, limit.validMs),
      requestedAt,
    );
    if (!reply) return;
    this.#perSecond = reply.perSecond;
    if (this.#fallback.recordRecovery())
      this.#options.log(`The rate limit of ${this.#provider} is shared again.`);
    if (reply.tokens === 0) {
      this.#reportWait(reply.inMs);
      return this.#sleepUntil(performance.now() + sleepTimeFor(reply.inMs));
    }
    // The server's "now" is between request and reply: see limit.ts.
    if (reply.inMs > 0) await this.#sleepUntil(performance.now() + reply.inMs);
    if (slowdowns !== this.#slowdowns) return;
    this.#tokens = reply.tokens;
    this.#tokensExpireAt = requestedAt + reply.inMs + limit.validMs;
  }

  #reportWait(ms: number): void {
    const now = performance.now();
    if (ms < REPORTED_WAIT_MS || now < this.#reportedUntil) return;
    this.#reportedUntil = now + ms;
    this.#options.log(
      `Requests to ${this.#provider} wait for ${Math.ceil(ms / 1000)} s: the store requested a pause, or the shared rate limit is exhausted.`,
    );
  }

  /**
   * Returns null without a timely reply; a later one would have expired. One request at a time, if the
   * server replies at all.
   */
  async #requestTokens(limit: Limit, tokens: number, requestedAt: number): Promise<LimiterReply | null> {
    const { bucket, quota } = this.#options;
    try {
      if (this.#pendingReply && requestedAt - this.#requestedAt < REPLY_TIMEOUT_MS)
        throw new Error('no reply yet');
      const pending = bucket.take(quota, limit, tokens);
      this.#pendingReply = pending;
      this.#bucketRequests++;
      this.#requestedAt = requestedAt;
      const clearPending = () => {
        if (this.#pendingReply === pending) this.#pendingReply = null;
      };
      pending.then(clearPending, clearPending);
      return await withTimeout(pending, limit.validMs);
    } catch (error) {
      this.#onBucketFailure(error);
      return null;
    }
  }

  #onBucketFailure(error: unknown): void {
    const now = performance.now();
    this.#retryAt = now + 50 + backoff(this.#fallback.failures, { maxMs: 1000 });
    if (!this.#fallback.recordFailure(now, this.#limit.validMs) || this.#closed) return;
    const share = this.#fallback.share(this.#perSecond);
    this.#options.log(
      `Rate limit store of ${this.#provider} unavailable (${this.#options.bucket.name}: ${messageOf(error)}). ` +
        `This worker limits locally to ${share < 10 ? share.toFixed(1) : Math.round(share)} requests/s until it is available again.`,
    );
  }

  async #runDegraded(now: number): Promise<void> {
    const waitMs = this.#fallback.waitMs(now, this.#perSecond);
    if (waitMs > 0) return this.#sleepUntil(Math.min(now + waitMs, this.#retryAt));
    this.#fallback.recordAdmitted(now);
    this.#tokens = 1;
    this.#tokensExpireAt = now + this.#limit.validMs;
  }

  #decreaseLocally(now: number): void {
    if (now - this.#decreasedAt < DECREASE_EVERY_MS) return;
    this.#decreasedAt = now;
    this.#perSecond = Math.max(this.#limit.perSecond * MIN_RATE_SHARE, this.#perSecond / 2);
  }

  /**
   * Resolves at that time, or when the state has changed. Timers may fire early; tokens must not be used
   * early.
   */
  async #sleepUntil(at: number): Promise<void> {
    const slowdowns = this.#slowdowns;
    for (let ms = at - performance.now(); ms > 0; ms = at - performance.now()) {
      await this.#wakeSignal.wait(Math.ceil(ms));
      if (this.#closed || slowdowns !== this.#slowdowns) return;
    }
  }

  get #provider(): string {
    return this.#options.quota.split(':', 1)[0]!;
  }
}

/**
 * How long to sleep before the next request: until the slot is within the horizon, with jitter, and short
 * enough to notice changes.
 */
function sleepTimeFor(inMs: number): number {
  return Math.min(MAX_SLEEP_MS, Math.max(10, inMs - HORIZON_MS * Math.random()));
}

function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no reply for ${Math.round(ms)} ms`));
    const timer = setTimeout(late, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function closedError(): SeineError {
  return new SeineError('internal', 'The limiter was closed while a request waited for it.');
}
