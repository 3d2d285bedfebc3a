/**
 * Writing objects to a place: a folder or a bucket. An object becomes visible under its name when it is whole, and not at
 * all before; one of the same name is replaced. So whatever was broken off can simply be done again.
 */
export interface ObjectWriter {
  /** `name` has slashes and no dots as parts. The content is taken as fast as the place takes it. */
  put(name: string, content: Content, signal: AbortSignal): Promise<void>;
  /** Takes away what broken-off writings below that folder left behind, where the place doesn't do that by itself. */
  sweep(folder: string, signal: AbortSignal): Promise<void>;
}

export type Content = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
