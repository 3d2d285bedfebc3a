import type { SeineError } from '../base/errors.ts';
import type { Key } from '../base/key.ts';
import type { Range } from '../base/range.ts';

/** One thing in a source. `identity` changes whenever the content may have changed (ETag; size, times, inode). */
export interface SourceObject {
  readonly key: Key;
  readonly size: number;
  /** Milliseconds since 1970; null when the source doesn't say. */
  readonly modified: number | null;
  readonly identity: string;
  /** Set when the object is known but must not be read (a device, a link, archived): the reason for the ledger. */
  readonly unreadable?: string;
}

/** Something that should be an object but could not even be looked at. It counts in the ledger, it stops nothing. */
export interface ObjectError {
  readonly key: Key;
  readonly error: SeineError;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

export interface Source {
  /** `fs:/srv/share`: names the source in reports and in the inventory. */
  readonly id: string;
  readonly capabilities: { readonly rangeRead: boolean; readonly splittable: boolean };
  /** Objects of `(range.after, range.upTo]` in byte order of their keys, each exactly once, in batches as they come. */
  list(range: Range, signal: AbortSignal): AsyncIterable<readonly (SourceObject | ObjectError)[]>;
  /** The bytes, in pieces. Throws `changed` when the object is no longer the one that was listed. */
  read(object: SourceObject, bytes: ByteRange | null, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Local sources only: the whole object into `into` by blocking calls, the quickest way for small files. The number
   * of bytes, or -1 when it doesn't fit.
   */
  readWhole?(object: SourceObject, into: Uint8Array): number;
  /** A key strictly inside the range with objects on both sides, or null: then don't split. */
  midpoint?(range: Range, signal: AbortSignal): Promise<Key | null>;
}

export function isObjectError(item: SourceObject | ObjectError): item is ObjectError {
  return 'error' in item;
}
