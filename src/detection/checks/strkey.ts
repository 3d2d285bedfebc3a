import { crc16 } from './crc16.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Stellar's keys (SEP-23): a version byte (which determines the first letter), 32 bytes, and their CRC-16, in base32. */
export function strkeyChecks(text: string): boolean {
  const bytes = base32Decode(text);
  if (bytes === null || bytes.length !== 35) return false;
  return bytes.readUInt16LE(33) === crc16(bytes.subarray(0, 33));
}

/** Without padding; bits that fill no byte must be zero. */
export function base32Decode(text: string): Buffer | null {
  const bytes = Buffer.alloc(Math.floor((text.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const c of text) {
    const value = ALPHABET.indexOf(c);
    if (value < 0) return null;
    held = (held << 5) | value;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  return held === 0 ? bytes : null;
}
