import { keccak_256 } from '@noble/hashes/sha3.js';

/**
 * Ethereum's checksum is in the case of the letters: each is a capital where the hash of the small address has a hex digit
 * from 8 on. `hex` is the address without 0x. An address in one case carries no checksum, and fails.
 */
export function eip55Checks(hex: string): boolean {
  const small = hex.toLowerCase();
  if (small === hex || hex.toUpperCase() === hex) return false;
  const hash = keccak_256(Buffer.from(small, 'latin1'));
  for (let i = 0; i < small.length; i++) {
    const nibble = i % 2 === 0 ? hash[i >> 1]! >> 4 : hash[i >> 1]! & 15;
    const letter = small[i]!;
    if (letter > '9' && hex[i] !== (nibble > 7 ? letter.toUpperCase() : letter)) return false;
  }
  return true;
}
