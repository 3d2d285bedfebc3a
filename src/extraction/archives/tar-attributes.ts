import { decodeName } from './tar-header.ts';

/** What other headers said about the next file, or about all that follow. */
export interface Attributes {
  readonly name?: string;
  readonly size?: number;
  /** Holes were left out of its bytes. */
  readonly sparse?: boolean;
}

const NEWLINE = 0x0a;

/** Lines of "length key=value". null: they are not. */
export function readAttributes(bytes: Uint8Array): Attributes | null {
  const found: { name?: string; size?: number; sparse?: boolean } = {};
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at);
    const end = at + (blank === -1 ? Number.NaN : digitsOf(bytes, at, blank));
    const equals = bytes.indexOf(0x3d, blank);
    if (!(equals > blank && equals < end && end <= bytes.length) || bytes[end - 1] !== NEWLINE) return null;
    const key = decodeName(bytes.subarray(blank + 1, equals));
    if (!take(found, key, bytes.subarray(equals + 1, end - 1))) return null;
    at = end;
  }
  return found;
}

function take(
  found: { name?: string; size?: number; sparse?: boolean },
  key: string,
  value: Uint8Array,
): boolean {
  if (key === 'path' && found.sparse !== true) found.name = decodeName(value);
  if (key === 'GNU.sparse.name') found.name = decodeName(value);
  if (key.startsWith('GNU.sparse.')) found.sparse = true;
  if (key !== 'size') return true;
  found.size = digitsOf(value, 0, value.length);
  return found.size <= Number.MAX_SAFE_INTEGER && value.length > 0;
}

/** NaN where something else stands: no comparison holds for it. */
function digitsOf(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > 20) return Number.NaN;
  const digits = decodeName(bytes.subarray(from, to));
  return /^[0-9]+$/.test(digits) ? Number(digits) : Number.NaN;
}
