import { CorruptInput } from '../../../extraction-error.ts';
import {
  CODE_BITS,
  CodeTable,
  DISTANCE_ROOT,
  DISTANCES,
  END,
  LENGTH_ROOT,
  LENGTHS,
  LITERAL,
  LONGER,
  MAX_DISTANCES,
  MAX_SYMBOLS,
  MORE_BITS,
  MORE_SHIFT,
  SYMBOL_ROOT,
  SYMBOLS,
  VALUE_SHIFT,
} from './deflate64-tables.ts';

export const MAX_INPUT = 64 * 1024;
/** Maximum bytes per symbol, with its extra bits. */
export const MAX_SYMBOL_LENGTH = 8;
/** The same of what a block begins with: the lengths of all its codes. */
export const MAX_HEADER_LENGTH = 1024;

const WINDOW = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
const MAX_MATCH_LENGTH = 65_538;
/** Shorter matches are copied sooner byte by byte. */
const LONG = 48;

const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * Deflate with a window of 64 KB. The previous window directly precedes the output, so that matches need no ring buffer; a chunk ends
 * after the match that crosses its end.
 */
export class Deflate64Decoder {
  /** The last block was read to its end. */
  ended = false;
  /** How many bits of the input were read. */
  at = 0;
  readonly #input = new Uint8Array(MAX_INPUT + MAX_HEADER_LENGTH);
  readonly #view = new DataView(this.#input.buffer);
  readonly #out = new Uint8Array(WINDOW + CHUNK_BYTES + MAX_MATCH_LENGTH);
  readonly #symbols = new CodeTable(SYMBOL_ROOT, SYMBOLS);
  readonly #distances = new CodeTable(DISTANCE_ROOT, DISTANCES);
  readonly #lengths = new CodeTable(LENGTH_ROOT, LENGTHS);
  #end = 0; // of the input, in bits
  #from = WINDOW; // output that has not been returned yet
  #to = WINDOW;
  #reach = WINDOW; // nothing was ever written before it
  #isLast = false;
  #block: 'none' | 'stored' | 'coded' = 'none';
  #stored = 0; // bytes that are left of a stored block

  /** For other data. */
  reset(): void {
    this.ended = false;
    this.#from = WINDOW;
    this.#to = WINDOW;
    this.#reach = WINDOW;
    this.#block = 'none';
  }

  /** `used` bits of its first byte were already consumed. It is followed by zeros; `at` reveals whether they were read. */
  feed(input: Uint8Array, used: number): void {
    this.#input.set(input);
    this.#input.fill(0, input.length, input.length + MAX_HEADER_LENGTH);
    this.#end = 8 * input.length;
    this.at = used;
  }

  /** Decodes symbols that begin before the byte `last`, and blocks that begin before `lastHeader`; returns part of the output. */
  decode(last: number, lastHeader: number): Uint8Array {
    this.#makeRoom();
    while (!this.ended && this.#to < WINDOW + CHUNK_BYTES) {
      if (this.at >= 8 * (this.#block === 'none' ? lastHeader : last)) break;
      if (this.#block === 'none') this.#begin();
      else if (this.#block === 'stored') this.#copyStored(last);
      else this.#decodeSymbols(8 * last);
    }
    return this.#out.subarray(this.#from, this.#to);
  }

  #makeRoom(): void {
    if (this.#to >= WINDOW + CHUNK_BYTES) {
      const moved = this.#to - WINDOW;
      this.#out.copyWithin(0, moved, this.#to);
      this.#to = WINDOW;
      this.#reach = Math.max(0, this.#reach - moved);
    }
    this.#from = this.#to;
  }

  #begin(): void {
    this.#isLast = this.#bits(1) === 1;
    const kind = this.#bits(2);
    if (kind === 3) throw this.#damage();
    this.#block = kind === 0 ? 'stored' : 'coded';
    if (kind === 0) this.#beginStored();
    else if (kind === 1) this.#fillTables(FIXED, MAX_SYMBOLS);
    else this.#readTables();
  }

  #endBlock(): void {
    this.#block = 'none';
    this.ended = this.#isLast;
  }

  #beginStored(): void {
    this.at = 8 * Math.ceil(this.at / 8);
    this.#stored = this.#bits(16);
    if (this.#bits(16) !== (~this.#stored & 0xffff)) throw this.#damage();
    if (this.#stored === 0) this.#endBlock();
  }

  #copyStored(last: number): void {
    const from = this.at / 8;
    const count = Math.min(this.#stored, last - from, WINDOW + CHUNK_BYTES - this.#to);
    this.#out.set(this.#input.subarray(from, from + count), this.#to);
    this.at += 8 * count;
    this.#to += count;
    this.#stored -= count;
    if (this.#stored === 0) this.#endBlock();
  }

  #readTables(): void {
    const symbols = this.#bits(5) + 257;
    const all = symbols + this.#bits(5) + 1;
    const count = this.#bits(4) + 4;
    const ofLengths = new Uint8Array(ORDER.length);
    for (let i = 0; i < count; i++) ofLengths[ORDER[i]!] = this.#bits(3);
    this.#refuseMissing();
    this.#lengths.fill(ofLengths);
    const lengths = new Uint8Array(MAX_SYMBOLS + MAX_DISTANCES);
    for (let at = 0; at < all; ) {
      const symbol = this.#length();
      if (symbol < 16) lengths[at++] = symbol;
      else at = this.#repeat(symbol, lengths, at, all);
    }
    this.#refuseMissing();
    this.#fillTables(lengths.subarray(0, all), symbols);
  }

  #fillTables(lengths: Uint8Array, symbols: number): void {
    this.#symbols.fill(lengths.subarray(0, symbols));
    this.#distances.fill(lengths.subarray(symbols));
  }

  #length(): number {
    const entry = this.#lengths.entries[bitsAt(this.#view, this.at) & ((1 << LENGTH_ROOT) - 1)]!;
    if (entry === 0) throw this.#damage();
    this.at += entry & CODE_BITS;
    return entry >>> VALUE_SHIFT;
  }

  /** The length before, or zeros. */
  #repeat(symbol: number, lengths: Uint8Array, at: number, all: number): number {
    const times = symbol === 16 ? 3 + this.#bits(2) : symbol === 17 ? 3 + this.#bits(3) : 11 + this.#bits(7);
    if (at + times > all || (symbol === 16 && at === 0)) throw this.#damage();
    if (symbol === 16) lengths.fill(lengths[at - 1]!, at, at + times);
    return at + times;
  }

  #refuseMissing(): void {
    if (this.at > this.#end) throw this.#damage();
  }

  /** What seems wrong near the end may only be missing. */
  #damage(at = this.at): CorruptInput {
    return new CorruptInput(at + CODE_BITS > this.#end ? 'truncated deflate64 data' : 'deflate64 data');
  }

  #bits(count: number): number {
    const bits = bitsAt(this.#view, this.at) & ((1 << count) - 1);
    this.at += count;
    return bits;
  }

  /** The hot loop. All mutable state is in local variables. */
  #decodeSymbols(last: number): void {
    const [view, out, reach] = [this.#view, this.#out, this.#reach];
    const symbols = this.#symbols.entries;
    const distances = this.#distances.entries;
    const end = WINDOW + CHUNK_BYTES;
    let { at } = this;
    let to = this.#to;
    while (to < end && at < last) {
      let bits = bitsAt(view, at);
      let entry = symbols[bits & ((1 << SYMBOL_ROOT) - 1)]!;
      if (entry & LONGER) entry = longer(symbols, entry, bits >>> SYMBOL_ROOT, SYMBOL_ROOT);
      at += entry & CODE_BITS;
      if (entry & LITERAL) {
        out[to++] = entry >>> VALUE_SHIFT;
        continue;
      }
      if (entry & END) {
        this.#endBlock();
        break;
      }
      bits = bitsAt(view, at);
      let more = (entry >>> MORE_SHIFT) & MORE_BITS;
      const length = (entry >>> VALUE_SHIFT) + (bits & ((1 << more) - 1));
      at += more;
      bits = bitsAt(view, at);
      entry = distances[bits & ((1 << DISTANCE_ROOT) - 1)]!;
      if (entry & LONGER) entry = longer(distances, entry, bits >>> DISTANCE_ROOT, DISTANCE_ROOT);
      at += entry & CODE_BITS;
      more = (entry >>> MORE_SHIFT) & MORE_BITS;
      const distance = (entry >>> VALUE_SHIFT) + (bitsAt(view, at) & ((1 << more) - 1));
      at += more;
      // An unassigned code has length or distance zero.
      if (length === 0 || distance === 0 || to - distance < reach) throw this.#damage(at);
      copy(out, to, distance, length);
      to += length;
    }
    this.at = at;
    this.#to = to;
  }
}

/** At least the next 25, the lowest first. */
function bitsAt(view: DataView, at: number): number {
  return view.getUint32(at >> 3, true) >>> (at & 7);
}

function longer(entries: Int32Array, entry: number, bits: number, root: number): number {
  const found = entries[(entry >>> VALUE_SHIFT) + (bits & ((1 << (entry & CODE_BITS)) - 1))]!;
  return found === 0 ? 0 : found + root;
}

/** A match may repeat what it has just written. */
function copy(out: Uint8Array, to: number, distance: number, length: number): void {
  const end = to + length;
  if (length < LONG) {
    for (let at = to; at < end; at++) out[at] = out[at - distance]!;
    return;
  }
  // What was copied can be copied again with it: twice as much each time.
  for (let at = to, step = distance; at < end; step *= 2) {
    const count = Math.min(step, end - at);
    out.copyWithin(at, to - distance, to - distance + count);
    at += count;
  }
}

/** The codes of blocks that bring none. */
const FIXED = new Uint8Array(MAX_SYMBOLS + MAX_DISTANCES);
FIXED.fill(8, 0, 144);
FIXED.fill(9, 144, 256);
FIXED.fill(7, 256, 280);
FIXED.fill(8, 280, MAX_SYMBOLS);
FIXED.fill(5, MAX_SYMBOLS);
