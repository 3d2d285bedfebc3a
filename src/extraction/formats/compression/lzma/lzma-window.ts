import { CorruptInput, LimitExceeded } from '../../../extraction-error.ts';
import { WINDOW, WINDOW_MARGIN } from './lzma-layout.ts';
import { type LzmaMemory, MAX_WINDOW } from './lzma-memory.ts';

const MIN_COUNT = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;

/**
 * The recent output, for matches to copy from: a ring buffer, which grows with the output and not by what a header claims. Its size is
 * always a multiple of 16, so that addresses have the low bits of positions, as the format's contexts need them. Positions are addresses
 * in the decoder's memory.
 */
export class LzmaWindow {
  /** The next output position. */
  at = WINDOW;
  /** The ring was closed: all of it can be copied from. */
  full = false;
  readonly #memory: LzmaMemory;
  readonly #dictionary: number;
  #max: number;
  #size = MIN_COUNT;
  #given = WINDOW;

  constructor(memory: LzmaMemory, dictionary: number, max = MAX_WINDOW) {
    this.#memory = memory;
    this.#dictionary = dictionary;
    // Space beyond the dictionary is overwritten by word copies that extend past the end of a match.
    this.#max = Math.max(MIN_COUNT, 16 * Math.ceil(Math.min(dictionary, max) / 16)) + WINDOW_MARGIN;
    this.reset();
  }

  get size(): number {
    return this.#size;
  }

  /** The maximum distance of a match once the ring is closed; before that, to the beginning. */
  get reach(): number {
    return this.full ? this.#size - WINDOW_MARGIN : 0;
  }

  /** The size it must have before more is written; null: sufficient. */
  get needed(): number | null {
    const isAtEnd = !this.full && this.at === WINDOW + this.#size;
    return isAtEnd && this.#size < this.#max ? Math.min(this.#max, 2 * this.#size) : null;
  }

  /** Grows to the wanted size, which must have been reserved in the memory. */
  grow(): void {
    this.#size = this.needed ?? this.#size;
    this.#memory.reserve(this.#size);
  }

  /** No more memory is available. That matters only if a match has a larger distance. */
  stopGrowing(): void {
    this.#max = this.#size;
  }

  /** The end of the space that may be written now, if `left` bytes remain. All previous output must have been taken. */
  room(left: number): number {
    if (this.at === WINDOW + this.#size) this.#goAround();
    return Math.min(WINDOW + this.#size, this.at + Math.min(left, CHUNK_BYTES));
  }

  /** What was written since; valid until more is. */
  take(): Uint8Array {
    const chunk = this.#memory.bytes.subarray(this.#given, this.at);
    this.#given = this.at;
    return chunk;
  }

  reset(): void {
    this.at = WINDOW;
    this.#given = WINDOW;
    this.full = false;
    this.#memory.bytes[WINDOW - 1] = 0;
  }

  /** As many of the bytes as there is room for; how many. */
  store(bytes: Uint8Array): number {
    const count = this.room(bytes.length) - this.at;
    this.#memory.bytes.set(bytes.subarray(0, count), this.at);
    this.at += count;
    return count;
  }

  /** A match extends before the window; `distance`: the distance minus one. */
  refuse(distance: number): never {
    if (this.full && this.reach < this.#dictionary && distance < this.#dictionary)
      throw new LimitExceeded('dictionary');
    throw new CorruptInput('lzma data');
  }

  #goAround(): void {
    // A literal's contexts are of the byte before it, also around the ring.
    this.#memory.bytes[WINDOW - 1] = this.#memory.bytes[this.at - 1]!;
    this.full = true;
    this.at = WINDOW;
    this.#given = this.at;
  }
}
