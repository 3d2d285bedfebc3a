import { Damage } from '../obstacle.ts';
import { RangeDecoder } from './lzma-range.ts';
import type { LzmaWindow } from './lzma-window.ts';

/** No symbol takes more bytes than this: one that begins so far before the end of the input can be read. */
export const LONGEST_SYMBOL = 24;

// Places of the probabilities, all in one array.
const IS_MATCH = 0; // 12 states × 16 positions
const IS_REPEATED = IS_MATCH + 192;
const IS_NOT_LAST = IS_REPEATED + 12;
const IS_NOT_SECOND = IS_NOT_LAST + 12;
const IS_NOT_THIRD = IS_NOT_SECOND + 12;
const IS_LONG = IS_NOT_THIRD + 12; // 12 states × 16 positions
const SLOT = IS_LONG + 192; // 4 lengths × 64
const NEAR = SLOT + 256; // the low bits of distances below 128
const ALIGN = NEAR + 128; // the lowest four bits of the others
const LENGTH = ALIGN + 16;
const LENGTHS = 2 + 16 * 8 + 16 * 8 + 256;
const REPEATED_LENGTH = LENGTH + LENGTHS;
const LITERAL = REPEATED_LENGTH + LENGTHS;
const LITERALS = 0x300;

const SHORTEST_MATCH = 2;
const MARKER = -1; // a distance that no match has
const AFTER_MATCH = 7; // states from here on

/** What a symbol's probabilities depend on, besides the state. */
interface Contexts {
  /** So many high bits of the byte before, for a literal. */
  readonly literalBits: number;
  /** Of the position, for a literal and for all else. */
  readonly literalMask: number;
  readonly positionMask: number;
}

/** LZMA: a range coder's bits are literals, and matches with what came out before. */
export class LzmaDecoder {
  /** The mark of the end was read. */
  ended = false;
  readonly #window: LzmaWindow;
  readonly #coder = new RangeDecoder();
  #contexts: Contexts = { literalBits: 0, literalMask: 0, positionMask: 0 };
  #count = 0; // of probabilities

  #state = 0;
  // One less than the distances of the last matches.
  #last = 0;
  #second = 0;
  #third = 0;
  #fourth = 0;
  #rest = 0; // of a match that did not fit

  constructor(window: LzmaWindow) {
    this.#window = window;
  }

  /** `lc + 9 × (lp + 5 × pb)`, as every format writes it. */
  configure(properties: number): void {
    if (properties >= 9 * 5 * 5) throw new Damage('lzma data');
    const positionBits = Math.floor(properties / 9) % 5;
    const literalBits = properties % 9;
    const literalMask = (1 << positionBits) - 1;
    const positionMask = (1 << Math.floor(properties / 45)) - 1;
    this.#contexts = { literalBits, literalMask, positionMask };
    this.#count = LITERAL + (LITERALS << (literalBits + positionBits));
    this.reset();
  }

  reset(): void {
    this.#coder.reset(this.#count);
    this.#state = 0;
    this.#last = 0;
    this.#second = 0;
    this.#third = 0;
    this.#fourth = 0;
    this.#rest = 0;
    this.ended = false;
  }

  /** The first five bytes of a stretch of the range coder. */
  start(first: Uint8Array): void {
    this.#coder.start(first);
  }

  /** At the end of a stretch nothing is left in the range coder, and no match goes beyond it. */
  get finished(): boolean {
    return this.#coder.code === 0 && this.#rest === 0;
  }

  /**
   * Fills the window up to `end`, as long as symbols begin at `last` or before; the place after what was read. Bytes
   * behind the input's end count as zeros: the caller sees by the place that they were not there.
   */
  decode(input: Uint8Array, from: number, last: number, end: number): number {
    const coder = this.#coder;
    coder.input = input;
    coder.at = from;
    if (this.#rest > 0) this.#copy(this.#rest, end);
    while (this.#window.at < end && coder.at <= last && !this.ended) {
      if (this.#literals(last, end)) this.#match(end);
    }
    return coder.at;
  }

  /** Literals, until a match comes (true) or it goes no further. Most of the time is spent here. */
  #literals(last: number, end: number): boolean {
    const coder = this.#coder;
    const { probs, input } = coder;
    const { bytes } = this.#window;
    const { literalBits, literalMask, positionMask } = this.#contexts;
    let { at, range, code } = coder;
    let out = this.#window.at;
    let state = this.#state;
    let before = this.#window.before();
    while (out < end && at <= last) {
      const index = IS_MATCH + (state << 4) + (out & positionMask);
      const p = probs[index]!;
      const bound = Math.imul(range >>> 11, p);
      if (code >>> 0 >= bound >>> 0) {
        range = (range - bound) | 0;
        code = (code - bound) | 0;
        probs[index] = p - (p >> 5);
        break;
      }
      range = bound;
      probs[index] = p + ((2048 - p) >> 5);
      if (range >>> 24 === 0) {
        range <<= 8;
        code = (code << 8) | input[at++]!;
      }
      const literal =
        LITERAL + LITERALS * (((out & literalMask) << literalBits) + (before >> (8 - literalBits)));
      let symbol = 1;
      if (state >= AFTER_MATCH) {
        coder.keep(at, range, code);
        symbol = coder.unlike(literal, this.#window.back(this.#last, out));
        ({ at, range, code } = coder);
      }
      while (symbol < 0x100) {
        const p = probs[literal + symbol]!;
        const bound = Math.imul(range >>> 11, p);
        if (code >>> 0 < bound >>> 0) {
          range = bound;
          probs[literal + symbol] = p + ((2048 - p) >> 5);
          symbol <<= 1;
        } else {
          range = (range - bound) | 0;
          code = (code - bound) | 0;
          probs[literal + symbol] = p - (p >> 5);
          symbol = (symbol << 1) | 1;
        }
        if (range >>> 24 === 0) {
          range <<= 8;
          code = (code << 8) | input[at++]!;
        }
      }
      before = symbol & 0xff;
      bytes[out++] = before;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
    }
    coder.keep(at, range, code);
    this.#window.at = out;
    this.#state = state;
    return out < end && at <= last;
  }

  #match(end: number): void {
    const coder = this.#coder;
    coder.normalize(); // after the bit that told of it
    const position = this.#window.at & this.#contexts.positionMask;
    const state = this.#state;
    const isFirst = state < AFTER_MATCH;
    if (coder.bit(IS_REPEATED + state) === 0) {
      this.#fourth = this.#third;
      this.#third = this.#second;
      this.#second = this.#last;
      const length = this.#length(LENGTH, position);
      this.#state = isFirst ? 7 : 10;
      this.#last = this.#distance(Math.min(length - SHORTEST_MATCH, 3));
      if (this.#last === MARKER) this.ended = true;
      else this.#copy(length, end);
      return;
    }
    if (coder.bit(IS_NOT_LAST + state) === 1) {
      this.#bringForward(state);
    } else if (coder.bit(IS_LONG + (state << 4) + position) === 0) {
      this.#state = isFirst ? 9 : 11;
      return this.#copy(1, end);
    }
    const length = this.#length(REPEATED_LENGTH, position);
    this.#state = isFirst ? 8 : 11;
    this.#copy(length, end);
  }

  /** One of the earlier distances becomes the last one. */
  #bringForward(state: number): void {
    let chosen = this.#second;
    if (this.#coder.bit(IS_NOT_SECOND + state) === 1) {
      chosen = this.#third;
      if (this.#coder.bit(IS_NOT_THIRD + state) === 1) {
        chosen = this.#fourth;
        this.#fourth = this.#third;
      }
      this.#third = this.#second;
    }
    this.#second = this.#last;
    this.#last = chosen;
  }

  #length(base: number, position: number): number {
    const coder = this.#coder;
    const low = base + 2 + (position << 3);
    if (coder.bit(base) === 0) return SHORTEST_MATCH + coder.tree(low, 8);
    if (coder.bit(base + 1) === 0) return SHORTEST_MATCH + 8 + coder.tree(low + 128, 8);
    return SHORTEST_MATCH + 16 + coder.tree(base + 2 + 256, 256);
  }

  /** One less than how far back. Beyond 128 only the highest and the lowest bits have probabilities. */
  #distance(length: number): number {
    const coder = this.#coder;
    const slot = coder.tree(SLOT + (length << 6), 64);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const high = (2 | (slot & 1)) << bits;
    if (slot < 14) return high + coder.reverseTree(NEAR + high - slot, bits);
    const middle = coder.direct(bits - 4) << 4;
    return (high + middle + coder.reverseTree(ALIGN, 4)) | 0;
  }

  #copy(length: number, end: number): void {
    const { at } = this.#window;
    const now = Math.min(length, end - at);
    this.#rest = length - now;
    this.#window.copy(this.#last >>> 0, now);
  }
}
