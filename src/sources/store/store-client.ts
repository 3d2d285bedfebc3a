import type { SeineError } from '../../base/errors.ts';
import type { Key } from '../../base/key.ts';
import type { ByteRange, SourceObject } from '../source.ts';

/**
 * What a provider must offer to become a source; `createStoreSource` does the rest: ranges, scope, prefetch, the gate,
 * time-outs, patience, resumed reads. So a client sends each request once: the SDK's own retries are switched off, and
 * nothing of the SDK is loaded before the first request or `warm`.
 */
export interface StoreClient {
  /** `s3://bucket/prefix`. */
  readonly id: string;
  /** Provider, host and a hash of the credential, or what outlives it: whoever has the same shares a rate limit. */
  readonly quota: string;
  /** The source is every key that begins with it: `hr` means `hr/a`, `hr.txt` and `hrx/b`, not only a folder. */
  readonly prefix: string;
  /** The most objects that one listing request gives. */
  readonly pageSize: number;
  /** Loads what the first request would load, so that it needn't wait for that. */
  warm?(): Promise<void>;
  /** One request: the first objects of the wanted keys, in byte order of the keys (not in that of JavaScript's `<`). */
  page(request: PageRequest, signal: AbortSignal): Promise<StorePage>;
  /**
   * One request: those bytes of the object, if it still has the listed identity (`tagOf(object.identity)`). The range
   * lies within the size and is never empty; null is the whole object. The caller counts the bytes, so the stream may
   * break or end early. When the signal is aborted or the body destroyed, the connection must be given up.
   */
  read(object: ReadObject, bytes: ByteRange | null, signal: AbortSignal): Promise<Body>;
  /**
   * For stores that give the same answer for an object that was deleted and for one that was replaced: one request that fails if
   * there is none. It is sent after such an answer, and passes the gate like any other.
   */
  checkExists?(object: ReadObject, signal: AbortSignal): Promise<void>;
  /**
   * What went wrong, in clear words; `key` is the object it was about, null for a listing. Anything may come: the SDK's errors,
   * those of the network (`mapNetworkError` knows them), a SeineError of the client itself.
   */
  explain(error: unknown, key: Key | null): StoreFailure;
}

/** A body with `destroy` holds a connection until it is read to its end or destroyed. */
export interface Body extends AsyncIterable<Uint8Array> {
  destroy?(): unknown;
}

/** Keys as text: a store has no others. */
export interface PageRequest {
  readonly prefix: string;
  /** Only keys after this one. '': from the first on. */
  readonly after: string;
  /** At most so many, never more than `pageSize`. */
  readonly most: number;
  /** `next` of the page before, given back only where that page has no last key to go on from: it came empty. */
  readonly continued?: string;
}

export interface StorePage {
  /** May be fewer than asked for although there are more. */
  readonly objects: readonly SourceObject[];
  /** Null: these were the last. Else what the provider wants to hear to go on (a token, a marker). */
  readonly next: string | null;
}

/** A listed object and its key as text. */
export interface ReadObject extends SourceObject {
  readonly name: string;
}

export interface StoreFailure {
  /** Its `retry` decides whether the request is sent again. */
  readonly error: SeineError;
  /** The provider wants it slower (429, 503). */
  readonly throttled?: boolean;
  readonly retryAfterMs?: number | null;
}

/** Changes whenever the content may have changed. `tag` is what the provider takes as a condition: an ETag, a generation. */
export function identityOf(tag: string, size: number, modified: number | null): string {
  return `${size.toString(36)}.${modified?.toString(36) ?? ''}.${tag}`;
}

export function tagOf(identity: string): string {
  return identity.replace(/^[^.]*\.[^.]*\./, '');
}
