import type { EditedText } from '../edited-text.ts';
import type { Rewriter } from '../rewriter.ts';
import { CUT_OFF, EntityReader, NO_ENTITY } from './entities.ts';
import { TagReader } from './joining-tags.ts';
import { type MarkupFinder, markupFinder } from './markup-finder.ts';

/** Maximum length of removed markup between two letters; beyond it, it stays. */
const MAX_RUN = 1024;
const AMPERSAND = 0x26;
const LT = 0x3c;
const SPACE = 0x20;
const SOFT_HYPHEN = 0xad;
const ZERO_WIDTH_SPACE = 0x200b;
const NONE = 0;
const NOTHING: Uint8Array = new Uint8Array(0);

/** Bytes of words, numbers and addresses. */
const wordBytes = new Uint8Array(256).fill(1, 0x80);
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@.-')
  wordBytes[c.charCodeAt(0)] = 1;

export interface MarkupOptions {
  readonly format: 'html' | 'xml';
  /** In a text of one byte a character an entity becomes one byte too, and those for which there is none stay. */
  readonly charset: 'utf-8' | 'latin1';
}

/**
 * Rewrites markup to what a reader sees, as far as it affects values: character references are decoded, and what splits a word (inline
 * tags, soft hyphens, zero-width spaces) is removed, and also inline tags next to the blank between two groups of digits. All other tags
 * stay, because they name their content.
 */
export class MarkupRewriter implements Rewriter {
  readonly #text: EditedText;
  readonly #finder: MarkupFinder;
  readonly #entities: EntityReader;
  readonly #tags: TagReader | null;
  readonly #utf8: boolean;
  #block: Uint8Array = NOTHING;
  #last = false; // no more data after the block
  #afterSibling = false; // of what was read last

  constructor(text: EditedText, { format, charset }: MarkupOptions, finder: MarkupFinder = markupFinder()) {
    this.#text = text;
    this.#finder = finder;
    this.#entities = new EntityReader(format);
    this.#tags = format === 'html' ? new TagReader() : null;
    this.#utf8 = charset === 'utf-8';
  }

  rewrite(block: Uint8Array, last: boolean): number {
    this.#block = block;
    this.#last = last;
    this.#text.begin(block);
    this.#finder.setBlock(block, this.#text.byteBefore(0), this.#tags !== null);
    let end = last ? block.length : block.length - cutSequence(block);
    for (let at = this.#finder.next(0); at < end; ) {
      const next = this.#change(at);
      if (next === CUT_OFF) end = at;
      else at = next;
    }
    this.#text.end(end);
    return end;
  }

  /** Applies the change at `at` and returns the next position to examine. */
  #change(at: number): number {
    if (this.#block[at] === AMPERSAND) {
      const code = this.#entityAt(at);
      if (code === CUT_OFF) return CUT_OFF;
      if (code === NO_ENTITY) return this.#finder.next(at + 1);
      if (code !== SOFT_HYPHEN && code !== ZERO_WIDTH_SPACE)
        return this.#replace(at, this.#entities.end, code);
    }
    const before = this.#text.byteBefore(at);
    if (wordBytes[before] === 1) return this.#join(at, before);
    const inNumber = before === SPACE && this.#block[at] === LT && isDigit(this.#text.secondByteBefore(at));
    return inNumber ? this.#join(at, before) : this.#finder.next(at + 1);
  }

  #replace(at: number, end: number, code: number): number {
    if (this.#utf8) this.#text.replaceByCharacter(at, end, code);
    else if (code <= 0xff) this.#text.replaceByByte(at, end, code);
    // The finder does not report a tag directly after it, because it takes the preceding semicolon for the end of a sentence.
    return this.#block[end] === LT && this.#tags !== null ? end : this.#finder.next(end);
  }

  /** Removes what begins at `at` if it only splits a word or a number that continues after it. */
  #join(at: number, before: number): number {
    const end = this.#dividersEnd(at);
    if (end === CUT_OFF) return CUT_OFF;
    const goesOn = end === NONE ? false : this.#goesOn(before, end);
    if (goesOn === CUT_OFF) return CUT_OFF;
    if (goesOn) this.#text.skip(at, end);
    // The finder does not report a tag after a blank here, because it doesn't know that a digit now precedes the blank.
    if (goesOn && this.#block[end] === SPACE && this.#block[end + 1] === LT) return end + 1;
    return this.#finder.next(Math.max(end, at + 1));
  }

  #goesOn(before: number, end: number): boolean | typeof CUT_OFF {
    if (before === SPACE) return this.#isDigit(end);
    const word = this.#isWord(end);
    const blank = word === false && isDigit(before) ? this.#blankEnd(end) : NONE;
    return blank === NONE ? word : this.#nextGroup(blank);
  }

  #blankEnd(at: number): number {
    if (this.#block[at] === SPACE) return at + 1;
    return this.#block[at] === AMPERSAND && this.#entityAt(at) === SPACE ? this.#entities.end : NONE;
  }

  /** Whether a number continues at `at`, perhaps after more markup that splits it. */
  #nextGroup(at: number): boolean | typeof CUT_OFF {
    if (this.#block[at] !== LT) return this.#isDigit(at);
    const end = this.#dividersEnd(at, this.#afterSibling);
    if (end === CUT_OFF) return CUT_OFF;
    return end === NONE ? false : this.#isDigit(end);
  }

  #isDigit(at: number): boolean | typeof CUT_OFF {
    if (at === this.#block.length) return this.#last ? false : CUT_OFF;
    return isDigit(this.#block[at]!);
  }

  /** The end of all markup that splits a word from `at` on. `behindSibling`: the end tag of a sibling element precedes it. */
  #dividersEnd(at: number, behindSibling = false): number {
    let afterSibling = behindSibling;
    this.#afterSibling = false;
    for (let end = NONE; ; ) {
      const from = end === NONE ? at : end;
      const next = this.#dividerEnd(from);
      if (next === CUT_OFF) return CUT_OFF;
      if (next === NONE) return end;
      end = next;
      if (this.#block[from] === LT && this.#tags !== null) {
        if (afterSibling && this.#tags.beginsSibling) return NONE;
        afterSibling ||= this.#tags.endsSibling;
        this.#afterSibling = afterSibling;
      }
      if (end - at > MAX_RUN) return NONE;
    }
  }

  #dividerEnd(at: number): number {
    const block = this.#block;
    const byte = block[at];
    if (byte === AMPERSAND) {
      const code = this.#entityAt(at);
      if (code === CUT_OFF) return CUT_OFF;
      return code === SOFT_HYPHEN || code === ZERO_WIDTH_SPACE ? this.#entities.end : NONE;
    }
    if (byte === LT && this.#tags !== null) {
      const found = this.#tags.read(block, at, block.length);
      if (found === CUT_OFF) return this.#last ? NONE : CUT_OFF;
      return found ? this.#tags.end : NONE;
    }
    if (!this.#utf8) return NONE;
    if (byte === 0xc2) return this.#sequenceEnd(at, 0xad);
    return byte === 0xe2 ? this.#sequenceEnd(at, 0x80, 0x8b) : NONE;
  }

  #sequenceEnd(at: number, ...behind: number[]): number {
    let end = at + 1;
    for (const byte of behind) {
      if (end === this.#block.length) return this.#last ? NONE : CUT_OFF;
      if (this.#block[end++] !== byte) return NONE;
    }
    return end;
  }

  #entityAt(at: number): number {
    const code = this.#entities.read(this.#block, at, this.#block.length);
    return code === CUT_OFF && this.#last ? NO_ENTITY : code;
  }

  #isWord(at: number): boolean | typeof CUT_OFF {
    if (at === this.#block.length) return this.#last ? false : CUT_OFF;
    const byte = this.#block[at]!;
    if (byte !== AMPERSAND) return wordBytes[byte] === 1;
    const code = this.#entityAt(at);
    if (code === CUT_OFF) return CUT_OFF;
    return code <= 0xff ? wordBytes[code] === 1 : this.#utf8;
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** How many bytes at the end may be the beginning of a character of no width. */
function cutSequence(block: Uint8Array): number {
  const last = block[block.length - 1];
  if (last === 0xc2 || last === 0xe2) return 1;
  return last === 0x80 && block[block.length - 2] === 0xe2 ? 2 : 0;
}
