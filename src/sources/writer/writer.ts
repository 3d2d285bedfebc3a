/**
 * Writes objects to a folder or a bucket. An object becomes visible under its name only when it is complete, and replaces one of the same
 * name. So an interrupted write can simply be repeated.
 */
export interface ObjectWriter {
  /** `name` may contain slashes, but no dot segments. The content is consumed as fast as it can be written. */
  put(name: string, content: Content, signal: AbortSignal): Promise<void>;
  /** Deletes what interrupted writes below that folder left behind, where the store doesn't do that by itself. */
  sweep(folder: string, signal: AbortSignal): Promise<void>;
}

export type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
