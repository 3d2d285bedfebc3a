import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58Number } from './base58check.ts';

const BLOCK = 11;
/** Main network: standard, integrated (with a payment id), subaddress. */
const VERSIONS = new Set([18, 19, 42]);

/** Network byte, two keys (and a payment id), four bytes of Keccak-256; base 58 in blocks of eight bytes. */
export function moneroChecks(text: string): boolean {
  const bytes = decodeBlocks(text);
  if (bytes === null || !VERSIONS.has(bytes[0]!)) return false;
  const body = bytes.subarray(0, -4);
  return Buffer.from(keccak_256(body)).subarray(0, 4).equals(bytes.subarray(-4));
}

/** Eleven letters are eight bytes; of the last block seven are five (95 letters in all) or seven (106: five bytes, too). */
function decodeBlocks(text: string): Buffer | null {
  const rest = text.length % BLOCK;
  if (rest !== 7) return null;
  const blocks: Buffer[] = [];
  for (let at = 0; at < text.length; at += BLOCK) {
    const block = text.slice(at, at + BLOCK);
    const bytes = base58Number(block, block.length === BLOCK ? 8 : 5);
    if (bytes === null) return null;
    blocks.push(bytes);
  }
  return Buffer.concat(blocks);
}
