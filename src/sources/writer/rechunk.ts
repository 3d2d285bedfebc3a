import type { Content } from './writer.ts';

/** The same bytes in chunks of exactly that size; the last may be smaller. Empty content yields no chunk. */
export async function* rechunk(content: Content, size: number): AsyncGenerator<Uint8Array> {
  let piece = new Uint8Array(size);
  let length = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + size - length);
      piece.set(part, length);
      length += part.length;
      at += part.length;
      if (length < size) continue;
      yield piece;
      piece = new Uint8Array(size);
      length = 0;
    }
  }
  if (length > 0) yield piece.subarray(0, length);
}
