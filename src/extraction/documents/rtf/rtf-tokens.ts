import { KNOWN_WORDS } from './rtf-words.ts';

/** The longest word, its number, and what follows them. */
const MAX_TOKEN_LENGTH = 64;
const MAX_WORD_LENGTH = 32;
const MAX_NUMBER_LENGTH = 10;

const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const QUOTE = 0x27;
const STAR = 0x2a;
const MINUS = 0x2d;
const SPACE = 0x20;
const LETTER_B = 0x62;

const NOTHING = Buffer.alloc(0);

/** Bytes that end a range of text. */
const ENDS = new Uint8Array(256);
for (const char of '\\{}\r\n\0') ENDS[char.charCodeAt(0)] = 1;

/** Words of up to this many letters are encoded as a number below 2^53. */
const NUMBERED_LETTERS = 11;
const words = new Map(
  KNOWN_WORDS.filter((word) => /^[a-z]{1,11}$/.test(word)).map((word) => [numberOf(word), word]),
);

/** What an RTF document consists of. Bytes are valid during the call only. */
export interface RtfTokenTaker {
  open(): void;
  close(): void;
  textRun(bytes: Uint8Array, from: number, to: number): void;
  /** -1: not a valid hexadecimal byte. */
  hexByte(byte: number): void;
  /** Or a symbol; '' is an unknown word. */
  word(word: string, value: number | null): void;
  /** The word after it may be unknown. */
  optional(): void;
  /** Bytes that are no RTF. */
  data(bytes: Uint8Array, from: number, to: number): void;
  /** The content of this group is ignored. */
  readonly ignoring: boolean;
}

/** A streaming tokenizer for RTF. */
export class RtfTokens {
  readonly #taker: RtfTokenTaker;
  #rest: Buffer = NOTHING;
  #data = 0;

  constructor(taker: RtfTokenTaker) {
    this.#taker = taker;
  }

  push(chunk: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    this.#rest = NOTHING;
    this.#rest = bytes.subarray(this.#cut(bytes, false));
  }

  /** false: it ended in the middle of data. */
  end(): boolean {
    this.#cut(this.#rest, true);
    return this.#data === 0;
  }

  /** Returns the position reached: a word that may be incomplete waits for more bytes. */
  #cut(bytes: Buffer, last: boolean): number {
    let at = 0;
    while (at < bytes.length) {
      const byte = bytes[at]!;
      if (this.#data > 0) {
        at = this.#takeData(bytes, at);
      } else if (byte === BACKSLASH) {
        if (!last && bytes.length - at < MAX_TOKEN_LENGTH) return at;
        at = this.#control(bytes, at + 1);
      } else if (ENDS[byte] === 1) {
        if (byte === OPEN) this.#taker.open();
        else if (byte === CLOSE) this.#taker.close();
        at++;
      } else {
        let end = at + 1;
        while (end < bytes.length && ENDS[bytes[end]!] === 0) end++;
        this.#taker.textRun(bytes, at, end);
        at = end;
      }
    }
    return at;
  }

  #takeData(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#data);
    this.#data -= end - at;
    this.#taker.data(bytes, at, end);
    return end;
  }

  /** After a backslash: a word with a number, a symbol, or a byte in hexadecimal. */
  #control(bytes: Buffer, at: number): number {
    let end = at;
    while (end - at < MAX_WORD_LENGTH && isLetter(bytes[end])) end++;
    if (end === at) return this.#symbol(bytes, at);
    const negative = bytes[end] === MINUS && isDigit(bytes[end + 1]);
    const from = negative ? end + 1 : end;
    let value = 0;
    let to = from;
    for (; to - from < MAX_NUMBER_LENGTH && isDigit(bytes[to]); to++) value = value * 10 + bytes[to]! - 0x30;
    const after = bytes[to] === SPACE ? to + 1 : to;
    // No words are made of what is ignored, but for the one that announces data.
    if (this.#taker.ignoring && bytes[at] !== LETTER_B) return after;
    const word = wordIn(bytes, at, end);
    if (word === 'bin') this.#data = negative ? 0 : value;
    else this.#taker.word(word, to === from ? null : negative ? -value : value);
    return after;
  }

  #symbol(bytes: Buffer, at: number): number {
    const symbol = bytes[at];
    if (symbol === QUOTE) {
      const [high, low] = [digitOf(bytes[at + 1] ?? 0), digitOf(bytes[at + 2] ?? 0)];
      this.#taker.hexByte(high === -1 || low === -1 ? -1 : high * 16 + low);
      return at + 3;
    }
    if (symbol === STAR) this.#taker.optional();
    else if (symbol !== undefined) this.#taker.word(String.fromCharCode(symbol), null);
    return at + 1;
  }
}

/** Texts are made of few words only: most are found by a number, which is faster than to make a string of each. */
function wordIn(bytes: Buffer, from: number, to: number): string {
  if (to - from > NUMBERED_LETTERS) return bytes.toString('latin1', from, to);
  let number = 0;
  for (let i = from; i < to; i++) {
    const letter = bytes[i]! - 0x60;
    if (letter < 1) return '';
    number = number * 27 + letter;
  }
  return words.get(number) ?? '';
}

function numberOf(word: string): number {
  let number = 0;
  for (const letter of word) number = number * 27 + letter.charCodeAt(0) - 0x60;
  return number;
}

function isLetter(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** Of a digit in hexadecimal; -1: it is none. */
export function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
