import type { TextDecoder } from 'node:util';
import type { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput } from '../../../extraction-error.ts';
import { newDecoder } from '../../code-page.ts';
import type { Pieces, TextExtent } from './word-pieces.ts';

const CHUNK = 32 * 1024;
const WESTERN = 1252;

/** The characters of a document as text. */
export class WordText {
  readonly #stream: RandomAccess;
  readonly #pieces: Pieces;
  readonly #budget: ExtractionBudget;
  readonly #decoder: TextDecoder;
  #characters = 0;

  /** `codePage`: of 8-bit and double-byte characters. */
  constructor(stream: RandomAccess, pieces: Pieces, budget: ExtractionBudget, codePage = WESTERN) {
    this.#stream = stream;
    this.#pieces = pieces;
    this.#budget = budget;
    this.#decoder = newDecoder(codePage);
  }

  async *read(from: number, to: number): AsyncGenerator<string> {
    for (const window of this.#pieces.extents(from, to)) yield* this.#extent(window);
    if (to > this.#pieces.length) throw new CorruptInput('Word piece table');
  }

  /** Pieces may overlap, so that little data yields much text; therefore it counts as decompression. */
  async *#extent({ offset, characters, wide }: TextExtent): AsyncGenerator<string> {
    const width = wide ? 2 : 1;
    this.#decoder.decode(); // half a character may be left of another piece
    for (let done = 0; done < characters; done += CHUNK) {
      const needed = Math.min(CHUNK, characters - done) * width;
      this.#characters += needed;
      this.#budget.checkRatio(this.#characters, this.#stream.size);
      const at = offset + done * width;
      const bytes = await this.#stream.read(at, at + needed);
      const text = wide ? utf16(bytes) : this.#decoder.decode(bytes, { stream: true });
      yield plainText(text);
      if (bytes.length < needed) throw new CorruptInput('truncated Word text');
    }
  }
}

function utf16(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf16le');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: They are what Word marks cells, fields and pictures with.
const MARKS = /\x07\x07|[\x00-\x08\x0b-\x1f]/g;

/**
 * Replaces special characters by text. The instruction of a field precedes its result, because it may contain a link target. Characters
 * that aren't listed are anchors of content stored elsewhere.
 */
const MEANING: Readonly<Record<string, string>> = {
  '\x01': ' ', // a picture
  '\x07': '\t', // the end of a cell
  '\x07\x07': '\n', // of the last cell, and of the row
  '\x08': ' ', // a drawing
  '\x0b': '\n',
  '\x0c': '\n',
  '\x0d': '\n',
  '\x0e': '\n',
  '\x13': ' ', // a field's code begins,
  '\x14': ' ', // its result begins
  '\x1e': '-',
};

function plainText(text: string): string {
  return text.replace(MARKS, (mark) => MEANING[mark] ?? '');
}
