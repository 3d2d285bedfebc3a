import { SeineError } from '../../base/errors.ts';

/** Headers that say who is asking. */
export type AuthHeaders = Readonly<Record<string, string>>;

export interface FetchedToken {
  readonly headers: AuthHeaders;
  /** Milliseconds since 1970; null: who fetches it also keeps it until it expires. */
  readonly expires: number | null;
}

/** A token is renewed so long before it expires, or after half of its time if it has little. */
const RENEW_BEFORE_MS = 300_000;
const FETCH_TIMEOUT_MS = 60_000;

/**
 * A token that must be fetched: from a server, or from a program. All requests share one until it expires or the service rejects
 * it. Requests that were sent concurrently with the old one are rejected, too: each is judged by what it was sent with.
 */
export class SharedToken {
  readonly #fetch: (isRejected: boolean) => Promise<FetchedToken>;
  readonly #sentWith = new WeakMap<object, AuthHeaders>();
  #pending: Promise<AuthHeaders> | null = null;
  #kept: { readonly token: FetchedToken; readonly renewAt: number } | null = null;
  /** The service rejected the last one; no request has succeeded since. */
  #rejected = false;
  #mustBeNew = false;
  readonly #patienceMs: number;

  /** `isRejected`: the last one must not come again out of a cache. */
  constructor(fetch: (isRejected: boolean) => Promise<FetchedToken>, patienceMs = FETCH_TIMEOUT_MS) {
    this.#fetch = fetch;
    this.#patienceMs = patienceMs;
  }

  get(): Promise<AuthHeaders> {
    if (this.#kept !== null && Date.now() < this.#kept.renewAt) {
      return Promise.resolve(this.#kept.token.headers);
    }
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = null;
    });
    return this.#pending;
  }

  /** A request with the token. */
  async use<T>(request: (headers: AuthHeaders) => Promise<T>): Promise<T> {
    const headers = await this.get();
    try {
      const answer = await request(headers);
      this.#rejected = false;
      return answer;
    } catch (error) {
      if (error instanceof Error) this.#sentWith.set(error, headers);
      throw error;
    }
  }

  /** The service rejected the token of the request that failed so. Whether another will be sent the next time: once for each rejection. */
  reject(error: unknown): boolean {
    const sent = error instanceof Error ? this.#sentWith.get(error) : undefined;
    if (sent === undefined) return false;
    if (sent.authorization !== this.#kept?.token.headers.authorization) return true;
    const again = !this.#rejected;
    this.#rejected = true;
    this.#mustBeNew = true;
    this.#kept = null;
    return again;
  }

  async #renew(): Promise<AuthHeaders> {
    const last = this.#kept;
    try {
      const token = await this.#inTime(this.#fetch(this.#mustBeNew));
      this.#mustBeNew = false;
      const { expires } = token;
      const renewAt = expires === null ? 0 : expires - Math.min(RENEW_BEFORE_MS, (expires - Date.now()) / 2);
      this.#kept = { token, renewAt };
      return token.headers;
    } catch (error) {
      // It is renewed early: until it expires the old one will do.
      if (last?.token.expires && Date.now() < last.token.expires) return last.token.headers;
      throw error;
    }
  }

  /** All requests wait for one fetch: if that hangs, the next request must be able to begin another. */
  #inTime<T>(fetching: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => reject(fetchTimeoutError(this.#patienceMs)), this.#patienceMs);
    timer.unref();
    fetching.then(resolve, reject).finally(() => clearTimeout(timer));
    return promise;
  }
}

function fetchTimeoutError(ms: number): SeineError {
  return new SeineError('unavailable', `No credentials were given out for ${ms / 1000} s.`, {
    hint: 'Check that this machine reaches the service that gives them out, or run the sign-in program by hand.',
  });
}
