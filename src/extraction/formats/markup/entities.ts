import { HTML_NAMES, type Named, XML_NAMES } from './entity-names.ts';

/**
 * Character references: `&eacute;`, `&#233;`, `&#xE9;`. Decoded for detection: special blanks and hyphens become plain ones, and a line
 * end becomes a blank so that line numbers don't change.
 */
const MAX_NAME_LENGTH = 8;
const MAX_DIGITS = 8;
const SEMICOLON = 0x3b;
const HASH = 0x23;
const SPACE = 0x20;
const HYPHEN = 0x2d;
const SLOTS = 1024;
const LAST_CODE = 0x10ffff;

/** Results other than a code: not a reference, or more bytes are needed to decide. */
export const NO_ENTITY = 0;
export const CUT_OFF = -1;

const WINDOWS = new TextDecoder('windows-1252');

/** Letters and digits have a number each, in six bits: a name of up to eight is two numbers of four. */
const digitOf = new Uint8Array(256);
for (const [n, c] of [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'].entries())
  digitOf[c.charCodeAt(0)] = n + 1;

/** Codes by the two numbers of a name. A Map of them would cost more than all the rest. */
class CodeTable {
  readonly #heads = new Int32Array(SLOTS);
  readonly #tails = new Int32Array(SLOTS);
  readonly #codes = new Int32Array(SLOTS);

  constructor(names: readonly Named[]) {
    for (const [name, code] of names) {
      const digits = Array.from(name, (c) => digitOf[c.charCodeAt(0)]!);
      const number = (some: number[]) => some.reduce((sum, digit) => sum * 64 + digit, 0);
      const [head, tail] = [number(digits.slice(0, 4)), number(digits.slice(4))];
      const slot = this.#slotOf(head, tail);
      this.#heads[slot] = head;
      this.#tails[slot] = tail;
      this.#codes[slot] = shown(code);
    }
  }

  codeOf(head: number, tail: number): number {
    return this.#codes[this.#slotOf(head, tail)]!;
  }

  /** Where it is, or would be. */
  #slotOf(head: number, tail: number): number {
    let slot = Math.imul(head ^ Math.imul(tail, 0x2f), 0x9e3779b1) >>> 22;
    while (this.#heads[slot] !== 0 && (this.#heads[slot] !== head || this.#tails[slot] !== tail))
      slot = (slot + 1) % SLOTS;
    return slot;
  }
}

const tables = { html: new CodeTable(HTML_NAMES), xml: new CodeTable(XML_NAMES) };

export class EntityReader {
  readonly #table: CodeTable;
  /** The end of the last reference read. */
  end = 0;

  constructor(format: 'html' | 'xml') {
    this.#table = tables[format];
  }

  /** The code of what begins with the `&` at `at`; `to`: where the bytes end. */
  read(bytes: Uint8Array, at: number, to: number): number {
    return at + 1 < to && bytes[at + 1] === HASH
      ? this.#number(bytes, at + 2, to)
      : this.#name(bytes, at + 1, to);
  }

  #name(bytes: Uint8Array, from: number, to: number): number {
    const max = Math.min(to, from + MAX_NAME_LENGTH);
    let head = 0;
    let tail = 0;
    let i = from;
    for (; i < max; i++) {
      const digit = digitOf[bytes[i]!]!;
      if (digit === 0) break;
      if (i < from + 4) head = (head << 6) | digit;
      else tail = (tail << 6) | digit;
    }
    if (i === to) return CUT_OFF;
    if (bytes[i] !== SEMICOLON) return NO_ENTITY;
    this.end = i + 1;
    return head === 0 ? NO_ENTITY : this.#table.codeOf(head, tail);
  }

  #number(bytes: Uint8Array, from: number, to: number): number {
    const hex = from < to && (bytes[from]! | 0x20) === 0x78;
    const start = hex ? from + 1 : from;
    const max = Math.min(to, start + MAX_DIGITS);
    let code = 0;
    let i = start;
    for (; i < max; i++) {
      const digit = digitIn(bytes[i]!, hex);
      if (digit < 0) break;
      code = code * (hex ? 16 : 10) + digit;
    }
    if (i >= to) return CUT_OFF;
    if (bytes[i] !== SEMICOLON || i === start) return NO_ENTITY;
    this.end = i + 1;
    return shown(code);
  }
}

function digitIn(byte: number, hex: boolean): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return hex && letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** The character written for a code. Control characters, surrogates and invalid codes are left undecoded. */
function shown(code: number): number {
  if (code < 0xa0) return code >= 0x80 ? fromWindows(code) : shownInAscii(code);
  if (code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x202f) return SPACE;
  if (code === 0x2010 || code === 0x2011) return HYPHEN;
  return code > LAST_CODE || (code >= 0xd800 && code < 0xe000) ? NO_ENTITY : code;
}

function shownInAscii(code: number): number {
  if (code >= SPACE && code < 0x7f) return code;
  if (code === 0x0a || code === 0x0d) return SPACE;
  return code === 0x09 ? code : NO_ENTITY;
}

/** These codes are control characters, but are used for those of Windows-1252 (as in the HTML standard). */
function fromWindows(code: number): number {
  return WINDOWS.decode(Uint8Array.of(code)).charCodeAt(0);
}
