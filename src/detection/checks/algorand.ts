import { hash } from 'node:crypto';
import { base32Decode } from './strkey.ts';

/** 32 bytes of key and the last four of their SHA-512/256, in base32. The all-zero address has no owner. */
export function algorandChecks(text: string): boolean {
  const bytes = base32Decode(text);
  if (bytes === null || bytes.length !== 36 || bytes.every((byte, i) => i >= 32 || byte === 0)) return false;
  return hash('sha512-256', bytes.subarray(0, 32), 'buffer').subarray(-4).equals(bytes.subarray(32));
}
