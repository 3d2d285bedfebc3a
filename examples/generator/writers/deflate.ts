/**
 * Deflate (RFC 1951) with the same output on every machine, which zlib's builds do not guarantee: one block of fixed codes, and
 * of all matches the nearest one.
 */
import { crc32 } from 'node:zlib';

const MIN_MATCH = 3;
const MAX_MATCH = 258;
const MAX_DISTANCE = 32_768;
const END_OF_BLOCK = 256;

export function deflated(bytes: Uint8Array): Buffer {
  const out = new BitWriter();
  const nearest = new Map<number, number>();
  out.number(0b011, 3); // the last block, of fixed codes
  for (let at = 0; at < bytes.length; ) {
    const before = nearest.get(keyOf(bytes, at));
    const length = before === undefined ? 0 : sameLength(bytes, before, at);
    const found = length >= MIN_MATCH && at - before! <= MAX_DISTANCE;
    if (found) writeMatch(out, length, at - before!);
    else writeSymbol(out, bytes[at]!);
    for (const end = at + (found ? length : 1); at < end; at++) nearest.set(keyOf(bytes, at), at);
  }
  writeSymbol(out, END_OF_BLOCK);
  return out.end();
}

/** As PNG and PDF have it. */
export function zlibbed(bytes: Uint8Array): Buffer {
  const [head, sum] = [Buffer.of(0x78, 0x01), Buffer.alloc(4)];
  sum.writeUInt32BE(adler32(bytes));
  return Buffer.concat([head, deflated(bytes), sum]);
}

export function gzipped(bytes: Uint8Array): Buffer {
  const head = Buffer.from('1f8b0800000000000003', 'hex');
  const end = Buffer.from(Uint32Array.of(crc32(bytes), bytes.length).buffer);
  return Buffer.concat([head, deflated(bytes), end]);
}

/** Bytes near the end share a key with nothing. */
function keyOf(bytes: Uint8Array, at: number): number {
  return at + MIN_MATCH > bytes.length
    ? -1 - at
    : bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16);
}

function sameLength(bytes: Uint8Array, before: number, at: number): number {
  const max = Math.min(MAX_MATCH, bytes.length - at);
  let length = 0;
  while (length < max && bytes[before + length] === bytes[at + length]) length++;
  return length;
}

function writeMatch(out: BitWriter, length: number, distance: number): void {
  const [symbol, lengthRest, lengthBits] = lengthCode(length);
  const [slot, distanceRest, distanceBits] = distanceCode(distance);
  writeSymbol(out, symbol);
  out.number(lengthRest, lengthBits);
  out.code(slot, 5);
  out.number(distanceRest, distanceBits);
}

/** The symbol, and what has to be added to its base, in so many bits. */
function lengthCode(length: number): [symbol: number, rest: number, bits: number] {
  if (length === MAX_MATCH) return [285, 0, 0];
  const from0 = length - MIN_MATCH;
  const bits = Math.max(0, 29 - Math.clz32(from0));
  return [257 + 4 * bits + (from0 >> bits), from0 & ((1 << bits) - 1), bits];
}

function distanceCode(distance: number): [symbol: number, rest: number, bits: number] {
  const from0 = distance - 1;
  const bits = Math.max(0, 30 - Math.clz32(from0));
  return [2 * bits + (from0 >> bits), from0 & ((1 << bits) - 1), bits];
}

function writeSymbol(out: BitWriter, symbol: number): void {
  if (symbol < 144) out.code(0x30 + symbol, 8);
  else if (symbol < 256) out.code(0x190 + symbol - 144, 9);
  else if (symbol < 280) out.code(symbol - 256, 7);
  else out.code(0xc0 + symbol - 280, 8);
}

class BitWriter {
  readonly #bytes: number[] = [];
  #byte = 0;
  #used = 0;

  /** The lowest bit first. */
  number(value: number, bits: number): void {
    for (let i = 0; i < bits; i++) this.#bit((value >> i) & 1);
  }

  /** The highest bit first. */
  code(value: number, bits: number): void {
    for (let i = bits - 1; i >= 0; i--) this.#bit((value >> i) & 1);
  }

  end(): Buffer {
    while (this.#used > 0) this.#bit(0);
    return Buffer.from(this.#bytes);
  }

  #bit(bit: number): void {
    this.#byte |= bit << this.#used++;
    if (this.#used < 8) return;
    this.#bytes.push(this.#byte);
    this.#byte = 0;
    this.#used = 0;
  }
}

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}
