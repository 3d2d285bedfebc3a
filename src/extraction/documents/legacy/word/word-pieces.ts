import { CorruptInput } from '../../../extraction-error.ts';
import { wordsOf } from '../compound-file/sector-tables.ts';

const FORMATTING = 1;
const PIECES = 2;
const COMPRESSED = 0x40000000;
const OFFSET = 0x3fffffff;

/** Contiguous characters in the document stream. */
export interface TextExtent {
  readonly offset: number;
  readonly characters: number;
  /** UTF-16; else one byte each. */
  readonly wide: boolean;
}

/** Maps character positions of a document to stream offsets. */
export interface Pieces {
  readonly length: number;
  /** The characters `[from, to)`, as far as there are pieces for them. */
  extents(from: number, to: number): Iterable<TextExtent>;
}

/** All characters contiguous, one byte each. */
export class OnePiece implements Pieces {
  readonly #from: number;
  readonly length: number;

  constructor(from: number, length: number) {
    this.#from = from;
    this.length = length;
  }

  *extents(from: number, to: number): Generator<TextExtent> {
    const characters = Math.min(to, this.length) - from;
    if (characters > 0) yield { offset: this.#from + from, characters, wide: false };
  }
}

/** A document that was edited and saved incrementally has many pieces. */
export class PieceTable implements Pieces {
  /** Where pieces begin in the row of all characters, and where the last one ends. */
  readonly #starts: Uint32Array;
  readonly #pieces: Buffer;
  readonly #old: boolean;

  /** `clx`: formatting of pieces, if any, and the table itself. `old`: of Word 6 or 95, where all characters have one byte. */
  constructor(clx: Buffer, old = false) {
    this.#old = old;
    let at = 0;
    while (clx[at] === FORMATTING && at + 3 <= clx.length) at += 3 + clx.readUInt16LE(at + 1);
    if (clx[at] !== PIECES || at + 5 > clx.length) throw new CorruptInput('Word piece table');
    const table = clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
    const count = Math.floor((table.length - 4) / 12);
    if (count < 0) throw new CorruptInput('Word piece table');
    this.#starts = wordsOf(table.subarray(0, 4 * count + 4));
    this.#pieces = table.subarray(4 * count + 4);
    if (this.#starts.some((start, i) => start < this.#starts[Math.max(0, i - 1)]!)) {
      throw new CorruptInput('Word piece table');
    }
  }

  get length(): number {
    return this.#starts.at(-1)!;
  }

  *extents(from: number, to: number): Generator<TextExtent> {
    for (let piece = this.#pieceAt(from); piece < this.#starts.length - 1; piece++) {
      const start = this.#starts[piece]!;
      const first = Math.max(from, start);
      const characters = Math.min(to, this.#starts[piece + 1]!) - first;
      if (characters <= 0) return;
      const position = this.#pieces.readUInt32LE(8 * piece + 2);
      yield { ...this.#place(position, first - start), characters };
    }
  }

  /** Of the character `index` of a piece. */
  #place(position: number, index: number): { offset: number; wide: boolean } {
    const begin = position & OFFSET;
    if (this.#old) return { offset: begin + index, wide: false };
    const wide = (position & COMPRESSED) === 0;
    return { offset: wide ? begin + 2 * index : Math.floor(begin / 2) + index, wide };
  }

  /** The last piece that begins at the character or before. */
  #pieceAt(character: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle]! <= character) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
