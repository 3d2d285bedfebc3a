import type { SeineError } from '../base/errors.ts';
import type { Key } from '../base/key.ts';
import type { Range } from '../base/range.ts';

/** An object in a source. `identity` changes whenever the content may have changed (ETag; size and times). */
export interface SourceObject {
  readonly key: Key;
  readonly size: number;
  /** Milliseconds since 1970; null if the source doesn't report it. */
  readonly modified: number | null;
  readonly identity: string;
  /** Set if the object must not be read (a device, a link, archived): the reason for the ledger. */
  readonly unreadable?: string;
  /** Set if only the bytes before this offset are to be read: the object is then recorded as partial, with the reason `SPARSE`. */
  readonly readTo?: number;
}

/** The reason in the ledger for an object that is not read completely because nearly all of it is a hole. */
export const SPARSE = 'sparse file, not read to its end';

/** An entry that should be an object but could not be examined. It is counted in the ledger and does not stop the scan. */
export interface ObjectError {
  readonly key: Key;
  readonly error: SeineError;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The result of one listing request. */
export interface Page {
  readonly keys: readonly Key[];
  /** The total size of those objects. */
  readonly bytes: number;
  /** There are keys of the range after the last of these. */
  readonly more: boolean;
}

/** The state of a source when its scan began, stored with the scan so that a process that opens it later notices what is missing. JSON. */
export interface InitialState {
  /** Mount points below the root (`a/b/`). Without their devices, whose numbers differ between machines. */
  readonly mounts: readonly Key[];
  /** The root is a folder that was not empty. */
  readonly hasEntries: boolean;
}

export interface Source {
  /** `fs:/srv/share`, `s3://bucket/prefix`: identifies the source in reports and in the inventory. */
  readonly id: string;
  readonly capabilities: {
    readonly rangeRead: boolean;
    readonly splittable: boolean;
    /** Requests go over a network: they are sent concurrently, and what was read is buffered. */
    readonly remote: boolean;
  };
  /** Provider and credential: sources with the same quota share a rate limit. Undefined: local, no limit. */
  readonly quota?: string;
  /** Files and folders excluded by ignore files in this source's listings so far; an entry counts again in each listing. */
  ignored?(): number;
  /** The state when it was opened. Undefined for sources that cannot be partly unavailable. */
  initialState?(): InitialState;
  /** Loads what the first request needs. Errors are reported by that request. */
  warm?(): Promise<void>;
  /** Objects of `(range.after, range.upTo]` in byte order of their keys, each exactly once, in batches as they arrive. */
  list(range: Range, signal: AbortSignal): AsyncIterable<readonly (SourceObject | ObjectError)[]>;
  /** The content in chunks. Throws `changed` if the object is no longer the listed one. */
  read(object: SourceObject, bytes: ByteRange | null, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** The object of that key as in a listing, regardless of the scope; null if there is none. */
  find(key: Key, signal: AbortSignal): Promise<SourceObject | ObjectError | null>;
  /**
   * Local sources only: reads the whole object into `into` by blocking calls, the fastest way for small files. Returns the number of
   * bytes, or -1 if it doesn't fit or `read` must be used.
   */
  readWhole?(object: SourceObject, into: Uint8Array): number;
  /** A key strictly inside the range with objects on both sides; null: don't split. */
  midpoint?(range: Range, signal: AbortSignal): Promise<Key | null>;
  /**
   * Stores: the first keys of the range, at most `max` (up to 1,000), by one request. Used for probing by the planner and the work
   * stealer.
   */
  page?(range: Range, max: number, signal: AbortSignal): Promise<Page>;
}

export function isObjectError(item: SourceObject | ObjectError): item is ObjectError {
  return 'error' in item;
}
