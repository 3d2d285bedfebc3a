import { SeineError } from '../../base/errors.ts';

/** Authentication headers. */
export type AuthHeaders = Readonly<Record<string, string>>;

export interface FetchedToken {
  readonly headers: AuthHeaders;
  /** Milliseconds since 1970; null: the fetch function caches it until it expires. */
  readonly expires: number | null;
}

/** How long before its expiry a token is renewed; or after half of its lifetime if that is shorter. */
const RENEW_BEFORE_MS = 300_000;
const FETCH_TIMEOUT_MS = 60_000;

/**
 * A token from a server or a program, shared by all requests until it expires or the service rejects it. Requests that were sent
 * concurrently with the old token are rejected too, so each rejection is compared with the token that was sent.
 */
export class SharedToken {
  readonly #fetch: (isRejected: boolean) => Promise<FetchedToken>;
  readonly #sentWith = new WeakMap<object, AuthHeaders>();
  #pending: Promise<AuthHeaders> | null = null;
  #kept: { readonly token: FetchedToken; readonly renewAt: number } | null = null;
  /** The service rejected the current token; no request has succeeded since. */
  #rejected = false;
  #mustBeNew = false;
  readonly #retryTimeoutMs: number;

  /** `isRejected`: the last token was rejected and must not be returned from a cache. */
  constructor(fetch: (isRejected: boolean) => Promise<FetchedToken>, retryTimeoutMs = FETCH_TIMEOUT_MS) {
    this.#fetch = fetch;
    this.#retryTimeoutMs = retryTimeoutMs;
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

  /** Runs a request with the token. */
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

  /**
   * Given the error of a request whose token was rejected: whether the next request will use another token. True once per rejected token.
   */
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
      // Renewal starts early, so the old token is still usable until it expires.
      if (last?.token.expires && Date.now() < last.token.expires) return last.token.headers;
      throw error;
    }
  }

  /** All requests wait for one fetch. The timeout lets a later request start another if it hangs. */
  #inTime<T>(fetching: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timer = setTimeout(() => reject(fetchTimeoutError(this.#retryTimeoutMs)), this.#retryTimeoutMs);
    timer.unref();
    fetching.then(resolve, reject).finally(() => clearTimeout(timer));
    return promise;
  }
}

function fetchTimeoutError(ms: number): SeineError {
  return new SeineError('unavailable', `No credentials were given out for ${ms / 1000} s.`, {
    hint: 'Check that this machine reaches the service that issues them, or run the sign-in program by hand.',
  });
}
