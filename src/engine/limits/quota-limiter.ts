/**
 * The requests of one worker that wait for one quota, in the order they came. Tokens come in batches from the bucket;
 * a request that finds one at hand does not wait. When the bucket can't be asked, it is the trickle that lets one pass now
 * and then, and the bucket is asked again and again.
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

/** What a quota costs in waiting, for display. */
export interface LimiterStats {
  readonly quota: string;
  /** Milliseconds in which at least one request waited. */
  readonly waitedMs: number;
  /** Requests that wait now. */
  readonly waiting: number;
  /** Questions to the bucket so far. */
  readonly bucketRequests: number;
  /** The rate all workers share now. */
  readonly perSecond: number;
  /** The bucket can't be asked: this worker goes on slowly by itself. */
  readonly degraded: boolean;
}

const MAX_SLEEP_MS = 5000;
/** After that a question counts as lost. */
const REPLY_TIMEOUT_MS = 5000;
const COALESCE_MS = 100;
/** A longer wait is reported: nothing else shows why a scan makes no progress. */
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
  #tokensExpireAt = 0; // when the tokens at hand expire
  #pendingReply: Promise<LimiterReply> | null = null;
  #bucketRequests = 0;
  #requestedAt = 0;
  #retryAt = 0;
  #perSecond: number;
  #pausedUntil = 0;
  #decreasedAt = Number.NEGATIVE_INFINITY;
  #slowdowns = 0;
  /** The wait that was reported last ends then. */
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
    this.#perSecond = limit.perSecond; // until the bucket tells better
  }

  take(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(closedError());
    if (this.#queue.size === 0 && this.#useToken(performance.now())) return ADMITTED;
    const passed = this.#queue.enqueue(signal);
    if (!this.#draining) void this.#drainQueue();
    return passed;
  }

  /** The tokens at hand are dropped: whoever passes from now on learns of the pause from the bucket. */
  throttled(pauseMs: number): void {
    const now = performance.now();
    const longer = pauseMs > 0 && now + pauseMs > this.#pausedUntil + COALESCE_MS;
    this.#tokens = 0;
    this.#slowdowns++;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(pauseMs, MAX_PAUSE_MS));
    this.#wakeSignal.notifyAll();
    if (!longer && now - this.#slowdownSentAt < COALESCE_MS) return; // one word is enough for all that are refused at once
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

  /** Whoever still waits is refused. Tokens at hand expire by themselves. */
  close(): void {
    this.#closed = true;
    this.#queue.rejectAll(closedError());
    this.#wakeSignal.notifyAll();
  }

  /** Runs while somebody waits. */
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

  async #fetchTokens(askedAt: number): Promise<void> {
    const slowdowns = this.#slowdowns;
    const limit = this.#limit;
    const answer = await this.#requestTokens(
      limit,
      this.#batchSizer.nextBatchSize(askedAt, limit.validMs),
      askedAt,
    );
    if (!answer) return;
    this.#perSecond = answer.perSecond;
    if (this.#fallback.recordRecovery())
      this.#options.log(`The rate limit of ${this.#provider} is shared again.`);
    if (answer.tokens === 0) {
      this.#reportWait(answer.inMs);
      return this.#sleepUntil(performance.now() + sleepTimeFor(answer.inMs));
    }
    // The server's "now" is not before the question and not after the answer: see limit.ts.
    if (answer.inMs > 0) await this.#sleepUntil(performance.now() + answer.inMs);
    if (slowdowns !== this.#slowdowns) return;
    this.#tokens = answer.tokens;
    this.#tokensExpireAt = askedAt + answer.inMs + limit.validMs;
  }

  #reportWait(ms: number): void {
    const now = performance.now();
    if (ms < REPORTED_WAIT_MS || now < this.#reportedUntil) return;
    this.#reportedUntil = now + ms;
    this.#options.log(
      `Requests to ${this.#provider} wait for ${Math.ceil(ms / 1000)} s: the store asked for a pause, or the shared rate limit is used up.`,
    );
  }

  /** Null when there is no answer in time; a later one would have expired. One question at a time, if the server answers at all. */
  async #requestTokens(limit: Limit, tokens: number, askedAt: number): Promise<LimiterReply | null> {
    const { bucket, quota } = this.#options;
    try {
      if (this.#pendingReply && askedAt - this.#requestedAt < REPLY_TIMEOUT_MS)
        throw new Error('no answer yet');
      const asking = bucket.take(quota, limit, tokens);
      this.#pendingReply = asking;
      this.#bucketRequests++;
      this.#requestedAt = askedAt;
      const answered = () => {
        if (this.#pendingReply === asking) this.#pendingReply = null;
      };
      asking.then(answered, answered);
      return await withTimeout(asking, limit.validMs);
    } catch (error) {
      this.#onBucketFailure(error);
      return null;
    }
  }

  #onBucketFailure(error: unknown): void {
    const now = performance.now();
    this.#retryAt = now + 50 + backoff(this.#fallback.failures, { mostMs: 1000 });
    if (!this.#fallback.recordFailure(now, this.#limit.validMs) || this.#closed) return;
    const share = this.#fallback.share(this.#perSecond);
    this.#options.log(
      `The shared rate limit of ${this.#provider} can't be asked for (${this.#options.bucket.name}: ${messageOf(error)}). ` +
        `This worker goes on alone with ${share < 10 ? share.toFixed(1) : Math.round(share)} requests a second until it can.`,
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

  /** Until then, or until something has changed. Timers may be early; tokens must not. */
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

/** Asks again when the slot is near enough to be promised; not all at the same moment, and not too late to hear of news. */
function sleepTimeFor(inMs: number): number {
  return Math.min(MAX_SLEEP_MS, Math.max(10, inMs - HORIZON_MS * Math.random()));
}

function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer for ${Math.round(ms)} ms`));
    const timer = setTimeout(late, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function closedError(): SeineError {
  return new SeineError('internal', 'The limiter was closed while a request waited for it.');
}
