import { OffsetMap } from './offset-map.ts';

/** Shorter runs are copied byte by byte: setting up a faster copy would cost more. */
const SHORT = 48;
/** Bytes of a character. */
const MAX_LENGTH = 4;

/** Streams a text in blocks, with ranges removed or replaced. A block without changes is passed through; the others are copied. */
export class EditedText {
  readonly offsetMap = new OffsetMap();
  readonly #emit: (text: Uint8Array) => void;
  #block: Uint8Array = new Uint8Array(0);
  #taken = 0; // in the block: everything before it has been written or removed
  #changed = false;
  #out: Uint8Array = new Uint8Array(0);
  #used = 0;
  #text = 0; // offsets of the block's beginning
  #source = 0;
  #last = 0; // the last byte of the blocks before, and the one before it
  #lastButOne = 0;

  constructor(emit: (text: Uint8Array) => void) {
    this.#emit = emit;
  }

  begin(block: Uint8Array): void {
    this.#block = block;
    this.#taken = 0;
    this.#used = 0;
    this.#changed = false;
  }

  /** The byte of the new text before the position `at` of the block, after which nothing was replaced; 0: none. */
  byteBefore(at: number): number {
    if (at > this.#taken) return this.#block[at - 1]!;
    return this.#used > 0 ? this.#out[this.#used - 1]! : this.#last;
  }

  /** As `before`, but one byte further to the left. */
  secondByteBefore(at: number): number {
    const copied = at - this.#taken;
    if (copied > 1) return this.#block[at - 2]!;
    const back = 2 - copied;
    if (back <= this.#used) return this.#out[this.#used - back]!;
    return back - this.#used === 1 ? this.#last : this.#lastButOne;
  }

  /** Removes `[from, to)` of the block. Changes must be in order. */
  skip(from: number, to: number): void {
    this.#turnTo(from);
    this.#goOnFrom(to);
  }

  /** A byte instead of `[from, to)`, which may be empty. */
  replaceByByte(from: number, to: number, byte: number): void {
    this.#turnTo(from);
    this.#out[this.#used++] = byte;
    this.#goOnFrom(to);
  }

  /** A character in UTF-8 instead of `[from, to)`. */
  replaceByCharacter(from: number, to: number, code: number): void {
    if (code < 0x80) return this.replaceByByte(from, to, code);
    this.#turnTo(from);
    const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    this.#out[this.#used++] = ((0xff00 >> (more + 1)) & 0xff) | (code >> (6 * more));
    for (let i = more - 1; i >= 0; i--) this.#out[this.#used++] = 0x80 | ((code >> (6 * i)) & 0x3f);
    this.#goOnFrom(to);
  }

  /** The block ends at `at`; the bytes after it come again with the next one. */
  end(at: number): void {
    if (this.#changed) this.#copy(at);
    const text = this.#changed ? this.#out.subarray(0, this.#used) : whole(this.#block, at);
    this.#text += text.length;
    this.#source += at;
    if (text.length === 0) return;
    this.#lastButOne = text.length > 1 ? text[text.length - 2]! : this.#last;
    this.#last = text[text.length - 1]!;
    this.#emit(text);
  }

  #turnTo(from: number): void {
    this.#changed = true;
    this.#copy(from);
  }

  #goOnFrom(to: number): void {
    this.#taken = to;
    this.offsetMap.add(this.#text + this.#used, this.#source + to);
  }

  /** Leaves space for one more character. */
  #copy(to: number): void {
    const block = this.#block;
    const from = this.#taken;
    this.#reserve(to - from + MAX_LENGTH);
    if (to - from > SHORT) this.#out.set(block.subarray(from, to), this.#used);
    else for (let i = from, o = this.#used; i < to; ) this.#out[o++] = block[i++]!;
    this.#used += to - from;
    this.#taken = to;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#out.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#out.length, this.#used + bytes + this.#block.length));
    larger.set(this.#out.subarray(0, this.#used));
    this.#out = larger;
  }
}

function whole(block: Uint8Array, end: number): Uint8Array {
  return end === block.length ? block : block.subarray(0, end);
}
