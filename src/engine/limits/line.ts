/**
 * The requests of one worker that wait for one quota, in the order they came. Tokens come in batches from the bucket;
 * a request that finds one at hand does not wait. When the bucket can't be asked, it is the trickle that lets one pass now
 * and then, and the bucket is asked again and again.
 */
import { Bell } from '../../base/bell.ts';
import { messageOf, SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import { Batches } from './batches.ts';
import type { Answer, Bucket } from './bucket.ts';
import { CUT_EVERY_MS, HORIZON_MS, type Limit, LONGEST_PAUSE_MS, SLOWEST } from './limit.ts';
import { Queue } from './queue.ts';
import { Trickle } from './trickle.ts';

export interface LineOptions {
  readonly quota: string;
  readonly bucket: Bucket;
  readonly workers: () => number;
  readonly say: (message: string) => void;
}

/** What a quota costs in waiting, for display. */
export interface Waits {
  readonly quota: string;
  /** Milliseconds in which at least one request waited. */
  readonly waitedMs: number;
  /** Requests that wait now. */
  readonly waiting: number;
  /** Questions to the bucket so far. */
  readonly asked: number;
  /** The rate all workers share now. */
  readonly perSecond: number;
  /** The bucket can't be asked: this worker goes on slowly by itself. */
  readonly alone: boolean;
}

const LONGEST_NAP_MS = 5000;
/** After that a question counts as lost. */
const PATIENCE_MS = 5000;
const TOGETHER_MS = 100;
/** A longer wait is reported: nothing else shows why a scan makes no progress. */
const REPORTED_WAIT_MS = 10_000;
const PASSED = Promise.resolve();

export class Line {
  readonly #options: LineOptions;
  readonly #batches = new Batches();
  readonly #trickle: Trickle;
  readonly #bell = new Bell();
  readonly #queue = new Queue();
  #limit: Limit;
  #tokens = 0;
  #until = 0; // when the tokens at hand expire
  #asking: Promise<Answer> | null = null;
  #asked = 0;
  #askedAt = 0;
  #askAgainAt = 0;
  #perSecond: number;
  #pausedUntil = 0;
  #cutAt = Number.NEGATIVE_INFINITY;
  #slowdowns = 0;
  /** The wait that was reported last ends then. */
  #reportedUntil = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #working = false;
  #closed = false;

  constructor(options: LineOptions, limit: Limit) {
    this.#options = options;
    this.#trickle = new Trickle(options.workers);
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
    if (this.#queue.size === 0 && this.#useToken(performance.now())) return PASSED;
    const passed = this.#queue.join(signal);
    if (!this.#working) void this.#work();
    return passed;
  }

  /** The tokens at hand are dropped: whoever passes from now on learns of the pause from the bucket. */
  throttled(pauseMs: number): void {
    const now = performance.now();
    const longer = pauseMs > 0 && now + pauseMs > this.#pausedUntil + TOGETHER_MS;
    this.#tokens = 0;
    this.#slowdowns++;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + Math.min(pauseMs, LONGEST_PAUSE_MS));
    this.#bell.ring();
    if (!longer && now - this.#slowedAt < TOGETHER_MS) return; // one word is enough for all that are refused at once
    this.#slowedAt = now;
    const { bucket, quota } = this.#options;
    bucket.slow(quota, this.#limit, pauseMs).catch(() => this.#cutAlone(now));
  }

  waits(): Waits {
    return {
      quota: this.#options.quota,
      waitedMs: this.#queue.waitedMs,
      waiting: this.#queue.size,
      asked: this.#asked,
      perSecond: this.#perSecond,
      alone: this.#trickle.down,
    };
  }

  /** Whoever still waits is refused. Tokens at hand expire by themselves. */
  close(): void {
    this.#closed = true;
    this.#queue.refuseAll(closedError());
    this.#bell.ring();
  }

  /** Runs while somebody waits. */
  async #work(): Promise<void> {
    this.#working = true;
    while (this.#queue.size > 0 && !this.#closed) {
      const now = performance.now();
      if (now < this.#pausedUntil) {
        this.#reportWait(this.#pausedUntil - now);
        await this.#sleepUntil(this.#pausedUntil);
      } else if (this.#useToken(now)) this.#queue.passFirst();
      else if (this.#trickle.down && now < this.#askAgainAt) await this.#goOnAlone(now);
      else await this.#fill(now);
    }
    this.#working = false;
  }

  #useToken(now: number): boolean {
    if (this.#tokens === 0 || now >= this.#until) return false;
    this.#tokens--;
    this.#batches.use();
    return true;
  }

  async #fill(askedAt: number): Promise<void> {
    const slowdowns = this.#slowdowns;
    const limit = this.#limit;
    const answer = await this.#ask(limit, this.#batches.next(askedAt, limit.validMs), askedAt);
    if (!answer) return;
    this.#perSecond = answer.perSecond;
    if (this.#trickle.recovered()) this.#options.say(`The rate limit of ${this.#provider} is shared again.`);
    if (answer.tokens === 0) {
      this.#reportWait(answer.inMs);
      return this.#sleepUntil(performance.now() + napOf(answer.inMs));
    }
    // The server's "now" is not before the question and not after the answer: see limit.ts.
    if (answer.inMs > 0) await this.#sleepUntil(performance.now() + answer.inMs);
    if (slowdowns !== this.#slowdowns) return;
    this.#tokens = answer.tokens;
    this.#until = askedAt + answer.inMs + limit.validMs;
  }

  #reportWait(ms: number): void {
    const now = performance.now();
    if (ms < REPORTED_WAIT_MS || now < this.#reportedUntil) return;
    this.#reportedUntil = now + ms;
    this.#options.say(
      `Requests to ${this.#provider} wait for ${Math.ceil(ms / 1000)} s: the store asked for a pause, or the shared rate limit is used up.`,
    );
  }

  /** Null when there is no answer in time; a later one would have expired. One question at a time, if the server answers at all. */
  async #ask(limit: Limit, tokens: number, askedAt: number): Promise<Answer | null> {
    const { bucket, quota } = this.#options;
    try {
      if (this.#asking && askedAt - this.#askedAt < PATIENCE_MS) throw new Error('no answer yet');
      const asking = bucket.take(quota, limit, tokens);
      this.#asking = asking;
      this.#asked++;
      this.#askedAt = askedAt;
      const answered = () => {
        if (this.#asking === asking) this.#asking = null;
      };
      asking.then(answered, answered);
      return await within(asking, limit.validMs);
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }

  #failed(error: unknown): void {
    const now = performance.now();
    this.#askAgainAt = now + 50 + backoff(this.#trickle.failures, { mostMs: 1000 });
    if (!this.#trickle.failed(now, this.#limit.validMs) || this.#closed) return;
    const share = this.#trickle.share(this.#perSecond);
    this.#options.say(
      `The shared rate limit of ${this.#provider} can't be asked for (${this.#options.bucket.name}: ${messageOf(error)}). ` +
        `This worker goes on alone with ${share < 10 ? share.toFixed(1) : Math.round(share)} requests a second until it can.`,
    );
  }

  async #goOnAlone(now: number): Promise<void> {
    const waitMs = this.#trickle.waitMs(now, this.#perSecond);
    if (waitMs > 0) return this.#sleepUntil(Math.min(now + waitMs, this.#askAgainAt));
    this.#trickle.passed(now);
    this.#tokens = 1;
    this.#until = now + this.#limit.validMs;
  }

  #cutAlone(now: number): void {
    if (now - this.#cutAt < CUT_EVERY_MS) return;
    this.#cutAt = now;
    this.#perSecond = Math.max(this.#limit.perSecond * SLOWEST, this.#perSecond / 2);
  }

  /** Until then, or until something has changed. Timers may be early; tokens must not. */
  async #sleepUntil(at: number): Promise<void> {
    const slowdowns = this.#slowdowns;
    for (let ms = at - performance.now(); ms > 0; ms = at - performance.now()) {
      await this.#bell.wait(Math.ceil(ms));
      if (this.#closed || slowdowns !== this.#slowdowns) return;
    }
  }

  get #provider(): string {
    return this.#options.quota.split(':', 1)[0]!;
  }
}

/** Asks again when the slot is near enough to be promised; not all at the same moment, and not too late to hear of news. */
function napOf(inMs: number): number {
  return Math.min(LONGEST_NAP_MS, Math.max(10, inMs - HORIZON_MS * Math.random()));
}

function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer for ${Math.round(ms)} ms`));
    const timer = setTimeout(late, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function closedError(): SeineError {
  return new SeineError('internal', 'The limiter was closed while a request waited for it.');
}
