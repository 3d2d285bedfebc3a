import { type Key, keyBytes, keyOf } from '../../../base/key.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
const ASCII = /^[\0-\x7f]*$/;

/**
 * The nearest key that is valid UTF-8, as stores require: an incomplete or invalid character is replaced by
 * the nearest valid one.
 */
export function validUtf8(bytes: string): Key {
  if (ASCII.test(bytes)) return bytes as Key;
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const [point, length] = characterAt(bytes, at);
    text += String.fromCodePoint(point);
    at += length;
  }
  return keyOf(text);
}

function characterAt(bytes: string, at: number): [point: number, length: number] {
  const lead = bytes.charCodeAt(at);
  if (lead < 0x80) return [lead, 1];
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let point = lead & (0xff >> (length + 1));
  let taken = 1;
  for (let n = 1; n < length; n++) {
    const next = bytes.charCodeAt(at + n);
    const isNext = n === taken && (next & 0xc0) === 0x80;
    if (isNext) taken++;
    point = point * 64 + (isNext ? next & 0x3f : 0);
  }
  return [nearest(point, length), taken];
}

/** The nearest code point with this encoded length that is no surrogate. */
function nearest(point: number, length: number): number {
  const min = [0, 0, 0x80, 0x800, 0x10000][length]!;
  const max = [0, 0, 0x7ff, 0xffff, 0x10ffff][length]!;
  const inside = Math.min(max, Math.max(min, point));
  return inside >= 0xd800 && inside <= 0xdfff ? 0xe000 : inside;
}

export function isValidUtf8(key: Key): boolean {
  try {
    decoder.decode(keyBytes(key));
    return true;
  } catch {
    return false;
  }
}
