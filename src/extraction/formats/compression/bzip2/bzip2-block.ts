import { CorruptInput } from '../../../extraction-error.ts';
import type { BitReader } from './bzip2-bits.ts';
import { type Huffman, readTables } from './bzip2-tables.ts';

const GROUP = 50; // symbols that share a table
const CHUNK_BYTES = 64 * 1024;
const MIN_COUNT = 4096;

/**
 * One block: Huffman codes → move-to-front positions and runs of the first one → the last column of the sorted
 * rotations → the text with runs shortened → the text.
 */
export class BlockDecoder {
  // The byte in the low 8 bits; the index of its successor above, once linked. Grows on demand, because files may consist of many tiny
  // streams.
  #column = new Uint32Array(MIN_COUNT);
  readonly #size: number;

  constructor(level: number) {
    this.#size = level * 100_000;
  }

  /** Reads the codes; the output is produced while the generator is consumed, and the bit reader is free meanwhile. */
  decode(bits: BitReader): Generator<Uint8Array> {
    if (bits.bit() === 1) throw new CorruptInput('bzip2 data'); // "randomised": not written since 1999
    const origin = bits.bits(24);
    const used = usedBytes(bits);
    const counts = new Uint32Array(256);
    const length = this.#readColumn(bits, used, counts);
    if (origin >= length) throw new CorruptInput('bzip2 data');
    this.#link(length, counts);
    return this.#chunks(origin, length);
  }

  #readColumn(bits: BitReader, used: Uint8Array, counts: Uint32Array): number {
    const { tables, selectors } = readTables(bits, used.length + 2);
    const last = used.length + 1;
    const front = used;
    let length = 0;
    let run = 0;
    let weight = 1; // of the next digit of a run's length, written with the digits 1 and 2
    for (let group = 0; ; group++) {
      if (group === selectors.length) throw new CorruptInput('bzip2 data');
      const table: Huffman = tables[selectors[group]!]!;
      for (let i = 0; i < GROUP; i++) {
        const symbol = table.read(bits);
        if (symbol < 2) {
          run += weight << symbol;
          weight <<= 1;
          if (run > this.#size - length) throw new CorruptInput('bzip2 data');
          continue;
        }
        if (run > 0) {
          if (length + run > this.#column.length) this.#grow(length + run);
          this.#column.fill(front[0]!, length, length + run);
          counts[front[0]!]! += run;
          length += run;
          run = 0;
          weight = 1;
        }
        if (symbol === last) return length;
        if (length === this.#column.length) this.#grow(length + 1);
        const byte = front[symbol - 1]!;
        front.copyWithin(1, 0, symbol - 1);
        front[0] = byte;
        this.#column[length++] = byte;
        counts[byte]!++;
      }
    }
  }

  #grow(min: number): void {
    if (min > this.#size) throw new CorruptInput('bzip2 data');
    const larger = new Uint32Array(Math.min(this.#size, Math.max(4 * this.#column.length, min)));
    larger.set(this.#column);
    this.#column = larger;
  }

  #link(length: number, counts: Uint32Array): void {
    const places = new Uint32Array(256);
    for (let byte = 1; byte < 256; byte++) places[byte] = places[byte - 1]! + counts[byte - 1]!;
    const column = this.#column;
    for (let i = 0; i < length; i++) column[places[column[i]! & 0xff]!++]! |= i << 8;
  }

  /** Four equal bytes are followed by the number of more of them. */
  *#chunks(origin: number, length: number): Generator<Uint8Array> {
    const column = this.#column;
    let chunk = new Uint8Array(CHUNK_BYTES);
    let filled = 0;
    let entry = column[origin]!;
    let previous = -1;
    let equal = 0;
    for (let i = 0; i < length; i++) {
      entry = column[entry >>> 8]!;
      const byte = entry & 0xff;
      let times = 1;
      if (equal === 4) {
        times = byte;
        equal = 0;
      } else {
        equal = byte === previous ? equal + 1 : 1;
        previous = byte;
      }
      if (filled + times > CHUNK_BYTES) {
        yield chunk.subarray(0, filled);
        chunk = new Uint8Array(CHUNK_BYTES);
        filled = 0;
      }
      chunk.fill(previous, filled, filled + times);
      filled += times;
      if (equal === 0) previous = -1;
    }
    yield chunk.subarray(0, filled);
  }
}

/** The bytes that occur, in order: a map of sixteen maps of sixteen bits. */
function usedBytes(bits: BitReader): Uint8Array {
  const used: number[] = [];
  const rows = bits.bits(16);
  for (let row = 0; row < 16; row++) {
    if (((rows >> (15 - row)) & 1) === 0) continue;
    const columns = bits.bits(16);
    for (let i = 0; i < 16; i++) if ((columns >> (15 - i)) & 1) used.push(row * 16 + i);
  }
  if (used.length === 0) throw new CorruptInput('bzip2 data');
  return Uint8Array.from(used);
}
