import type { ByteSet } from './parse.ts';

const known = new WeakMap<ByteSet, readonly number[]>();

/** The bytes of a set in ascending order. Cached, since sets are shared. */
export function byteList(set: ByteSet): readonly number[] {
  const before = known.get(set);
  if (before) return before;
  const bytes: number[] = [];
  for (let byte = 0; byte < 256; byte++) if (set[byte] === 1) bytes.push(byte);
  known.set(set, bytes);
  return bytes;
}
