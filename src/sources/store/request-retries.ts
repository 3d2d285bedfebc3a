import { setTimeout as pause } from 'node:timers/promises';
import { SeineError } from '../../base/errors.ts';
import type { Key } from '../../base/key.ts';
import { backoff } from '../../base/retry.ts';
import { AuthenticationError } from '../authentication-error.ts';
import type { RequestGate, RequestKind } from '../request-gate.ts';
import type { StoreClient, StoreFailure } from './store-client.ts';

/** How requests are sent. */
export interface RequestOptions<
  Client extends Pick<StoreClient, 'mapError'> = Pick<StoreClient, 'mapError'>,
> {
  readonly client: Client;
  readonly gate: RequestGate;
  /** Maximum time from the first of a series of failures to giving up. */
  readonly retryTimeoutMs: number;
  /** Timeout for a response, or for its next chunk. */
  readonly answerMs: number;
}

/** An operation on a store, which may take several requests. */
export interface RequestTarget {
  readonly kind: RequestKind;
  /** Null for a listing. */
  readonly key: Key | null;
  readonly signal: AbortSignal;
}

/** The minimum number of attempts, however slow the failures are. */
const MIN_ATTEMPTS = 3;
const RETRY_BACKOFF = { firstMs: 200, maxMs: 5000 };

/** The attempts at one operation: each passes the gate, and after each failure decides whether to retry. */
export class RequestRetries {
  readonly #options: RequestOptions;
  readonly #target: RequestTarget;
  #tries = 0;
  #firstFailure = 0;

  constructor(sending: RequestOptions, target: RequestTarget) {
    this.#options = sending;
    this.#target = target;
  }

  /** Resolves when the next request may be sent. Waiting for the gate is not part of an outage. */
  async begin(bytes: number): Promise<void> {
    const started = performance.now();
    await this.#options.gate.admit(this.#target.kind, bytes, this.#target.signal);
    this.#firstFailure += performance.now() - started;
  }

  /** Data has arrived: a later failure counts as a new outage. */
  reset(): void {
    this.#tries = 0;
  }

  /** Resolves when it is time to retry; throws if that is useless or the retry time is over. */
  async failed(reason: unknown): Promise<void> {
    const { client, gate, retryTimeoutMs } = this.#options;
    const { key, signal } = this.#target;
    signal.throwIfAborted();
    const failure = client.mapError(reason, key);
    if (failure.throttled) gate.throttled(failure.retryAfterMs ?? null);
    if (!failure.error.retry) throw failure.error;
    if (this.#tries++ === 0) this.#firstFailure = performance.now();
    const left = this.#firstFailure + retryTimeoutMs - performance.now();
    if (left <= 0 && this.#tries >= MIN_ATTEMPTS) throw this.#exhausted(failure);
    await this.#pause(failure, Math.max(0, left));
  }

  async #pause({ retryAfterMs }: StoreFailure, leftMs: number): Promise<void> {
    const { signal } = this.#target;
    const wish = Math.max(retryAfterMs ?? 0, backoff(this.#tries - 1, RETRY_BACKOFF));
    // Whatever the store's Retry-After: one last attempt is made when the retry time ends.
    await pause(Math.min(wish, leftMs), undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  #exhausted({ error }: StoreFailure): SeineError {
    const seconds = Math.round((performance.now() - this.#firstFailure) / 1000);
    const tries = `Tried ${this.#tries} times in ${seconds} s.`;
    const { kind, hint, retry } = error;
    const Same = error instanceof AuthenticationError ? AuthenticationError : SeineError;
    return new Same(kind, `${error.message} ${tries}`, { ...(hint && { hint }), retry, cause: error });
  }
}
