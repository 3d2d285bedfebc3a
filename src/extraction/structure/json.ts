/**
 * Names of values in JSON (RFC 8259), found by parsing backwards from a value: a parser would have to read the whole document, and
 * only texts with findings are asked for names.
 */
import { shownName, textOf } from './name.ts';

/** Far enough for a record; in a long list of them the way to its beginning would be walked for every value. */
const REACH = 1024;
const MAX_DEPTH = 32;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;

/** The path to the value at `at`, found by parsing backwards: `customer.emails[]`, or `….ssn` if the window begins inside it. */
export function jsonPath(window: Uint8Array, at: number): string | null {
  return new Walk(window, at, false).path();
}

/** The same with one document a line. */
export function ndjsonPath(window: Uint8Array, at: number): string | null {
  return new Walk(window, at, true).path();
}

class Walk {
  readonly #window: Uint8Array;
  readonly #min: number;
  readonly #perLine: boolean;
  #at: number;

  constructor(window: Uint8Array, at: number, perLine: boolean) {
    this.#window = window;
    this.#min = Math.max(0, at - REACH);
    this.#perLine = perLine;
    this.#at = at;
  }

  path(): string | null {
    const steps: string[] = [];
    if (this.#startsInString()) this.#at = this.#openingQuote(this.#at);
    let depth = 0; // of closed values next to the path
    let keyed = false; // the value's key was found, or it has none: the next colon belongs to a neighbour
    while (--this.#at >= this.#min && steps.length < MAX_DEPTH) {
      const byte = this.#window[this.#at]!;
      if (byte === QUOTE) this.#at = this.#openingQuote(this.#at);
      else if (byte === 0x7d || byte === 0x5d) depth++;
      else if (byte === LF && this.#perLine) return named(steps, true);
      else if (byte === 0x7b || byte === 0x5b) {
        if (depth > 0) depth--;
        else {
          if (byte === 0x5b) steps.push('[]');
          keyed = false;
        }
      } else if (depth === 0 && !keyed && (byte === 0x3a || byte === 0x2c)) {
        keyed = true;
        if (byte === 0x3a) steps.push(this.#key());
      }
    }
    // Nothing precedes the outermost bracket: this is the start of the document.
    return named(steps, this.#at < 0 && isOpening(this.#window));
  }

  /** The key before a colon; the walk continues before it. */
  #key(): string {
    const end = lastVisible(this.#window, this.#at - 1, this.#min);
    if (this.#window[end] !== QUOTE) return '…';
    const start = this.#openingQuote(end);
    this.#at = start;
    if (start < this.#min) return '…';
    return shownName(unescaped(textOf(this.#window, start + 1, end)));
  }

  /** The opening quote of the string that ends (or is entered from its end) at `end`. */
  #openingQuote(end: number): number {
    let i = end - 1;
    while (i >= this.#min && !isQuote(this.#window, i, this.#min)) i--;
    return i;
  }

  /** By the nearest quote that can only open or only close a string, or a line's end: no string has one in it. */
  #startsInString(): boolean {
    let toggles = 0;
    for (let i = this.#at - 1; i >= this.#min; i--) {
      if (this.#window[i] === LF) break;
      if (!isQuote(this.#window, i, this.#min)) continue;
      const role = roleOf(this.#window, i, this.#min);
      if (role === 'opening') return toggles % 2 === 0;
      if (role === 'closing') return toggles % 2 === 1;
      toggles++;
    }
    return toggles % 2 === 1;
  }
}

/** A quote after an odd number of backslashes is a character of its string. */
function isQuote(window: Uint8Array, at: number, min: number): boolean {
  if (window[at] !== QUOTE) return false;
  let i = at - 1;
  while (i >= min && window[i] === BACKSLASH) i--;
  return (at - 1 - i) % 2 === 0;
}

/** Strings begin after `{ [ , :` and end before `} ] , :`; a text that imitates both sides leaves it unclear. */
function roleOf(window: Uint8Array, at: number, min: number): 'opening' | 'closing' | 'unclear' {
  const before = window[lastVisible(window, at - 1, min)];
  const after = window[firstVisible(window, at + 1)];
  const opens = before === undefined || isOneOf(before, 0x7b, 0x5b);
  const closes = after === undefined || isOneOf(after, 0x7d, 0x5d);
  if (opens) return closes ? 'unclear' : 'opening';
  return closes ? 'closing' : 'unclear';
}

function isOneOf(byte: number, brace: number, bracket: number): boolean {
  return byte === brace || byte === bracket || byte === 0x2c || byte === 0x3a;
}

function lastVisible(window: Uint8Array, from: number, min: number): number {
  let i = from;
  while (i >= min && window[i]! <= 0x20) i--;
  return i < min ? -1 : i;
}

function firstVisible(window: Uint8Array, from: number): number {
  const max = Math.min(window.length, from + 256);
  let i = from;
  while (i < max && window[i]! <= 0x20) i++;
  return i;
}

function isOpening(window: Uint8Array): boolean {
  const first = window[firstVisible(window, 0)];
  return first === 0x7b || first === 0x5b;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

/** Steps were found from the inside out. */
function named(steps: readonly string[], complete: boolean): string | null {
  let path = complete ? '' : '…';
  for (const step of steps.toReversed()) path += step === '[]' || path === '' ? step : `.${step}`;
  return path === '' || path === '…' ? null : path;
}
