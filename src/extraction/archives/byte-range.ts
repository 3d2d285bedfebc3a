import type { RandomAccess } from '../document-item.ts';

/** Far sources answer a few large questions sooner than many small ones. */
export const READ_SIZE = 256 * 1024;

/** The bytes `[from, to)` in chunks; fewer if the input ends before. */
export async function* streamRange(
  input: RandomAccess,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const bytes = await input.read(at, Math.min(to, at + READ_SIZE));
    if (bytes.length === 0) return;
    at += bytes.length;
    yield bytes;
  }
}
