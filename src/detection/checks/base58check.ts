import { hash } from 'node:crypto';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Bitcoin's version byte, 20 bytes of hash and the first four bytes of their double SHA-256, in base 58. */
export function base58Checks(text: string): boolean {
  const bytes = decode(text, 25);
  if (bytes === null) return false;
  const once = hash('sha256', bytes.subarray(0, 21), 'buffer');
  return hash('sha256', once, 'buffer').compare(bytes, 21, 25, 0, 4) === 0;
}

function decode(text: string, size: number): Buffer | null {
  const bytes = Buffer.alloc(size);
  for (const c of text) {
    let carry = ALPHABET.indexOf(c);
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
