import type { SeineError } from '../../base/errors.ts';
import type { Key } from '../../base/key.ts';
import type { ByteRange, SourceObject } from '../source.ts';

/**
 * The interface of a provider. `createStoreSource` adds the rest: ranges, scope, prefetch, the gate, timeouts, retries, resumed reads. So
 * a client sends each request once, with the SDK's own retries disabled, and loads nothing of the SDK before the first request or `warm`.
 */
export interface StoreClient {
  /** `s3://bucket/prefix`. */
  readonly id: string;
  /** Provider, host and a hash of the credential, or of what is stable about it: sources with the same quota share a rate limit. */
  readonly quota: string;
  /** The source is every key that begins with it: `hr` includes `hr/a`, `hr.txt` and `hrx/b`, not only a folder. */
  readonly prefix: string;
  /** The maximum number of objects per listing request. */
  readonly pageSize: number;
  /** Loads what the first request would load, so that it needn't wait for that. */
  warm?(): Promise<void>;
  /** One request: the first objects of the requested keys, in byte order of the keys (not in that of JavaScript's `<`). */
  page(request: PageRequest, signal: AbortSignal): Promise<StorePage>;
  /**
   * One request: these bytes of the object, if it still has the listed identity (`tagOf(object.identity)`). The range lies within the
   * size and is never empty; null is the whole object. The caller counts the bytes, so the stream may break or end early. When the signal
   * is aborted or the body destroyed, the connection must be released.
   */
  read(object: ReadObject, bytes: ByteRange | null, signal: AbortSignal): Promise<Body>;
  /**
   * For stores whose response is the same for deleted and for replaced objects: one request that fails if the object does not exist. Sent
   * after such a response, and passes the gate like any other.
   */
  checkExists?(object: ReadObject, signal: AbortSignal): Promise<void>;
  /**
   * Maps an error to a message; `key` is the object concerned, null for a listing. The error may be of the SDK, of the network (see
   * `mapNetworkError`), or a SeineError of the client itself.
   */
  mapError(error: unknown, key: Key | null): StoreFailure;
}

/** A body with `destroy` holds a connection until it is read to its end or destroyed. */
export interface Body extends AsyncIterable<Uint8Array> {
  destroy?(): unknown;
}

/** Keys as text: stores have no others. */
export interface PageRequest {
  readonly prefix: string;
  /** Only keys after this one. '': from the first on. */
  readonly after: string;
  /** The maximum number of objects, at most `pageSize`. */
  readonly most: number;
  /** `next` of the previous page, set only if that page has no last key to continue from: it was empty. */
  readonly continued?: string;
}

export interface StorePage {
  /** May be fewer than requested although there are more. */
  readonly objects: readonly SourceObject[];
  /** Null: the last page. Else the provider's continuation token or marker. */
  readonly next: string | null;
}

/** A listed object and its key as text. */
export interface ReadObject extends SourceObject {
  readonly name: string;
}

export interface StoreFailure {
  /** Its `retry` decides whether the request is retried. */
  readonly error: SeineError;
  /** The provider throttles (429, 503). */
  readonly throttled?: boolean;
  readonly retryAfterMs?: number | null;
}

/** Changes whenever the content may have changed. `tag` is what the provider accepts as a condition: an ETag, a generation. */
export function identityOf(tag: string, size: number, modified: number | null): string {
  return `${size.toString(36)}.${modified?.toString(36) ?? ''}.${tag}`;
}

export function tagOf(identity: string): string {
  return identity.replace(/^[^.]*\.[^.]*\./, '');
}
