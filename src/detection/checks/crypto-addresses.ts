import { hash } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58Number } from './base58check.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Stellar keys (SEP-23): a version byte (which determines the first letter), 32 bytes, and their CRC-16, in base32. */
export function strkeyChecks(text: string): boolean {
  const bytes = base32Decode(text);
  if (bytes === null || bytes.length !== 35) return false;
  return bytes.readUInt16LE(33) === crc16(bytes.subarray(0, 33));
}

/** Base32 (RFC 4648) without padding; unused bits must be zero. Node has no decoder for it. */
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

/** CRC-16/XMODEM: polynomial 0x1021, initial value 0. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc;
}

/** Algorand: a key of 32 bytes and the last four bytes of its SHA-512/256, in base32. The all-zero address has no owner. */
export function algorandChecks(text: string): boolean {
  const bytes = base32Decode(text);
  if (bytes === null || bytes.length !== 36 || bytes.every((byte, i) => i >= 32 || byte === 0)) return false;
  return hash('sha512-256', bytes.subarray(0, 32), 'buffer').subarray(-4).equals(bytes.subarray(32));
}

const BLOCK = 11;

/** Main network: standard, integrated (with a payment id), subaddress. */
const VERSIONS = new Set([18, 19, 42]);

/** Monero: network byte, two keys (and a payment id), four bytes of Keccak-256; base 58 in blocks of eight bytes. */
export function moneroChecks(text: string): boolean {
  const bytes = decodeBlocks(text);
  if (bytes === null || !VERSIONS.has(bytes[0]!)) return false;
  const body = bytes.subarray(0, -4);
  return Buffer.from(keccak_256(body)).subarray(0, 4).equals(bytes.subarray(-4));
}

/** Blocks of 11 letters are 8 bytes; the last block, in addresses of 95 and of 106 letters, is 7 letters and 5 bytes. */
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

/**
 * Ethereum (EIP-55): a letter is upper case where the Keccak-256 of the lower-case address has a hex digit of 8 or more. `hex` is the
 * address without 0x. An address in one case has no checksum and fails.
 */
export function eip55Checks(hex: string): boolean {
  const lower = hex.toLowerCase();
  if (lower === hex || hex.toUpperCase() === hex) return false;
  const hash = keccak_256(Buffer.from(lower, 'latin1'));
  for (let i = 0; i < lower.length; i++) {
    const nibble = i % 2 === 0 ? hash[i >> 1]! >> 4 : hash[i >> 1]! & 15;
    const letter = lower[i]!;
    if (letter > '9' && hex[i] !== (nibble > 7 ? letter.toUpperCase() : letter)) return false;
  }
  return true;
}
