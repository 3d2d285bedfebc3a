import { hash } from 'node:crypto';

const BITCOIN = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
export const RIPPLE = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz';

/**
 * What stands before the last four bytes, if these are the beginning of its double SHA-256; else null. `size` is that
 * of the whole, in bytes.
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
  const zeros = bytes.findIndex((byte) => byte !== 0);
  const ones = [...text].findIndex((c) => c !== alphabet[0]);
  return zeros === ones ? bytes : null;
}

/** The number that `text` writes, filled with zeros in front; null if it has more bytes than that. */
export function base58Number(text: string, size: number, alphabet = BITCOIN): Buffer | null {
  const bytes = Buffer.alloc(size);
  for (const c of text) {
    let carry = alphabet.indexOf(c);
    if (carry < 0) return null;
    for (let i = size - 1; i >= 0; i--) {
      carry += bytes[i]! * 58;
      bytes[i] = carry & 0xff;
      carry >>= 8;
    }
    if (carry !== 0) return null;
  }
  return bytes;
}
