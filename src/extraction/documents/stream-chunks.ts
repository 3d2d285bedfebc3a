import type { RandomAccess } from '../document-item.ts';
import { CorruptInput } from '../extraction-error.ts';

const CHUNK = 64 * 1024;

/** The bytes `[from, to)` one chunk after another, each with an even length but for the last. */
export async function* chunksOf(stream: RandomAccess, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += CHUNK) {
    const end = Math.min(to, at + CHUNK);
    const bytes = await stream.read(at, end);
    if (bytes.length > 0) yield bytes;
    if (bytes.length < end - at) throw new CorruptInput('truncated stream');
  }
}
