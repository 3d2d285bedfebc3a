import type { EditedText } from '../edited-text.ts';
import type { Rewriter } from '../rewriter.ts';
import { CUT_OFF, EntityReader, NO_ENTITY } from './entities.ts';
import { TagReader } from './joining-tags.ts';
import { type MarkupFinder, markupFinder } from './markup-finder.ts';

/** So much of what may be left out stands between two letters at most; beyond it stays. */
const MAX_RUN = 1024;
const AMPERSAND = 0x26;
const LT = 0x3c;
const SPACE = 0x20;
const SOFT_HYPHEN = 0xad;
const ZERO_WIDTH_SPACE = 0x200b;
const NONE = 0;
const NOTHING: Uint8Array = new Uint8Array(0);

/** What a word, a number or an address is made of, as far as a byte can tell. */
const wordBytes = new Uint8Array(256).fill(1, 0x80);
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@.-')
  wordBytes[c.charCodeAt(0)] = 1;

export interface MarkupOptions {
  readonly format: 'html' | 'xml';
  /** In a text of one byte a character an entity becomes one byte too, and those for which there is none stay. */
  readonly charset: 'utf-8' | 'latin1';
}

/**
 * Markup as a reader sees it, where that matters to the values in it: entities become their characters, and what only
 * divides a word (inline tags, soft hyphens, spaces of no width) is left out, and so are inline tags beside the blank between two
 * groups of digits. All other tags stay: they name what is in them.
 */
export class MarkupRewriter implements Rewriter {
  readonly #text: EditedText;
  readonly #finder: MarkupFinder;
  readonly #entities: EntityReader;
  readonly #tags: TagReader | null;
  readonly #utf8: boolean;
  #block: Uint8Array = NOTHING;
  #last = false; // nothing comes behind the block
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

  /** Does what is to be done at `at` and gives back the next place to look at. */
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
    // A tag behind it is seen here only: the finder takes the semicolon before it for the end of a sentence.
    return this.#block[end] === LT && this.#tags !== null ? end : this.#finder.next(end);
  }

  /** Leaves out what begins at `at`, if it only divides a word or a number and that goes on behind it. */
  #join(at: number, before: number): number {
    const end = this.#dividersEnd(at);
    if (end === CUT_OFF) return CUT_OFF;
    const goesOn = end === NONE ? false : this.#goesOn(before, end);
    if (goesOn === CUT_OFF) return CUT_OFF;
    if (goesOn) this.#text.skip(at, end);
    // A tag behind a blank is seen here only: the finder doesn't know that a digit now stands before the blank.
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

  /** A number goes on at `at`, perhaps behind more of what divides it. */
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

  /** Behind all that divides a word from `at` on. `behindSibling`: an element that others stand beside ended before it. */
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
