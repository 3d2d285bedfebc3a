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
  /** Set when only the bytes before this place are to be read, less than all: the object is partial then, as `SPARSE` says. */
  readonly readTo?: number;
}

/** What the ledger says of an object that is not read to its end because nearly all of it is a hole. */
export const SPARSE = 'sparse file, not read to its end';

/** Something that should be an object but could not even be looked at. It counts in the ledger, it stops nothing. */
export interface ObjectError {
  readonly key: Key;
  readonly error: SeineError;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** One call of a provider's listing. */
export interface Page {
  readonly keys: readonly Key[];
  /** The sizes of those objects together. */
  readonly bytes: number;
  /** There are keys of the range beyond the last of these. */
  readonly more: boolean;
}

/** What a scan remembers of its source's beginning, so that a process that opens it later notices what is not there any more. JSON. */
export interface InitialState {
  /** Folders below the root (`a/b/`) on which something was mounted. Not of which device: its number differs between machines. */
  readonly mounts: readonly Key[];
  /** The root is a folder that was not empty. */
  readonly hasEntries: boolean;
}

export interface Source {
  /** `fs:/srv/share`, `s3://bucket/prefix`: names the source in reports and in the inventory. */
  readonly id: string;
  readonly capabilities: {
    readonly rangeRead: boolean;
    readonly splittable: boolean;
    /** Every request travels: several at once, and what was read is kept at hand. */
    readonly remote: boolean;
  };
  /** Provider and credential: sources with the same quota share a rate limit. None: local, no limit. */
  readonly quota?: string;
  /** Files and folders that ignore files have left out of this source's listings so far; the same one counts for each listing of it. */
  ignored?(): number;
  /** As it was when it was opened. Sources that can't be there in part have none. */
  initialState?(): InitialState;
  /** Gets ready for the first request, if there is something to load. Its failure is told by that request. */
  warm?(): Promise<void>;
  /** Objects of `(range.after, range.upTo]` in byte order of their keys, each exactly once, in batches as they come. */
  list(range: Range, signal: AbortSignal): AsyncIterable<readonly (SourceObject | ObjectError)[]>;
  /** The bytes, in pieces. Throws `changed` when the object is no longer the one that was listed. */
  read(object: SourceObject, bytes: ByteRange | null, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** The object of that key as a listing gives it, whatever the scope says; null when there is none. */
  find(key: Key, signal: AbortSignal): Promise<SourceObject | ObjectError | null>;
  /**
   * Local sources only: the whole object into `into` by blocking calls, the quickest way for small files. The number
   * of bytes, or -1 when it doesn't fit or `read` must be used.
   */
  readWhole?(object: SourceObject, into: Uint8Array): number;
  /** A key strictly inside the range with objects on both sides, or null: then don't split. */
  midpoint?(range: Range, signal: AbortSignal): Promise<Key | null>;
  /** Stores: the first keys of the range, at most `most` (up to 1,000), by one call. Whoever plans or steals looks around with it. */
  page?(range: Range, max: number, signal: AbortSignal): Promise<Page>;
}

export function isObjectError(item: SourceObject | ObjectError): item is ObjectError {
  return 'error' in item;
}
