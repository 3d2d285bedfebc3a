/**
 * Base58Check as in Bitcoin (base58.cpp of Bitcoin Core; draft-msporny-base58 describes the encoding). Written by hand because every
 * candidate is decoded: libraries use big integers, and this one stops at the first byte too many.
 */
import { hash } from 'node:crypto';

const BITCOIN = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const RIPPLE = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

/**
 * The payload before the last four bytes, if these are the beginning of its double SHA-256; else null. `size` is the total size in bytes.
 */
export function base58Payload(text: string, size: number, alphabet = BITCOIN): Buffer | null {
  const bytes = base58Decode(text, size, alphabet);
  if (bytes === null) return null;
  const payload = bytes.subarray(0, size - 4);
  const once = hash('sha256', payload, 'buffer');
  const same = hash('sha256', once, 'buffer').compare(bytes, size - 4, size, 0, 4) === 0;
  return same ? payload : null;
}

/** Exactly `size` bytes: every leading zero byte is written as the alphabet's first letter. */
export function base58Decode(text: string, size: number, alphabet = BITCOIN): Buffer | null {
  const bytes = base58Number(text, size, alphabet);
  if (bytes === null) return null;
  let zeros = 0;
  while (zeros < size && bytes[zeros] === 0) zeros++;
  let ones = 0;
  while (ones < text.length && text[ones] === alphabet[0]) ones++;
  const nothingElse = zeros === size && ones === text.length;
  return zeros === ones || nothingElse ? bytes : null;
}

const LIMB = 3; // bytes

/** The decoded number, padded with leading zeros; null if it has more bytes than `size`. */
export function base58Number(text: string, size: number, alphabet = BITCOIN): Buffer | null {
  const values = VALUES.get(alphabet) ?? valuesOf(alphabet);
  const limbs = new Int32Array(Math.ceil(size / LIMB));
  const max = 1 << (8 * (size - LIMB * (limbs.length - 1)));
  for (let n = 0; n < text.length; n++) {
    let carry = values[text.charCodeAt(n)] ?? NONE;
    if (carry === NONE) return null;
    for (let i = limbs.length - 1; i >= 0; i--) {
      carry += limbs[i]! * 58;
      limbs[i] = carry & 0xffffff;
      carry >>= 24;
    }
    if (carry !== 0 || limbs[0]! >= max) return null;
  }
  const bytes = Buffer.alloc(limbs.length * LIMB);
  for (let i = 0, at = 0; i < limbs.length; i++) {
    bytes[at++] = limbs[i]! >> 16;
    bytes[at++] = limbs[i]! >> 8;
    bytes[at++] = limbs[i]!;
  }
  return bytes.subarray(bytes.length - size);
}

const NONE = -1;
const VALUES: ReadonlyMap<string, Int8Array> = new Map(
  [BITCOIN, RIPPLE].map((alphabet) => [alphabet, valuesOf(alphabet)]),
);

/** By character code: the value of the letter. */
function valuesOf(alphabet: string): Int8Array {
  const values = new Int8Array(256).fill(NONE);
  for (const [value, letter] of [...alphabet].entries()) values[letter.charCodeAt(0)] = value;
  return values;
}
