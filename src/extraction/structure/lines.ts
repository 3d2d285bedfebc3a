import { HIDDEN, lastByte, shownName, textOf } from './name.ts';

/** Keys on the same line as their value. Most values have none, which is decided without a RegExp. */
const LINE_REACH = 512;
const NAME_REACH = 80;
const SECTION_REACH = 8 * 1024;
const PROPERTY_REACH = 1024;
const LF = 0x0a;
const COLON = 0x3a;
const EQUALS = 0x3d;
const BAR = 0x7c;

/** Schemes end in a colon too. */
const SCHEME = /^(https?|mailto|ftp|tel|file|data)$/i;
const WORDS = /(\p{L}[\p{L}\d_-]*(?: \p{L}[\p{L}\d_.-]*){0,3})[*_"'`]*\s*$/u;
const WORD = /([\p{L}_$][\p{L}\d_$.-]*)["'`\]*]{0,2}\s*[:=!]*$/u;

/** Running text: `key=value`, `Some label: value`, `| cell |` of a one-line table, directly before. */
export function label(window: Uint8Array, at: number): string | null {
  const separator = separatorBefore(window, at);
  if (separator === -1) return null;
  return nameBefore(window, separator, window[separator] === COLON ? WORDS : WORD);
}

/** In a log the words before a key are a message. */
export function logLabel(window: Uint8Array, at: number): string | null {
  const separator = separatorBefore(window, at);
  return separator === -1 ? null : nameBefore(window, separator, WORD);
}

/** Source code: the nearest `name =`, `name: `, `"name" =>` before, with nothing but its value between. */
export function assignment(window: Uint8Array, at: number): string | null {
  const start = lineStart(window, at);
  for (let i = at - 1; i >= start; i--) {
    const byte = window[i]!;
    if (byte === 0x3b || byte === 0x2c || byte === 0x7b || byte === 0x7d) break; // ; , { }
    // A colon within the value (`user:password`, `https:`) is followed by something else.
    if (byte === EQUALS || (byte === COLON && isSpaceOrQuote(window[i + 1])))
      return nameBefore(window, i, WORD);
  }
  return logLabel(window, at);
}

/** yaml, environment files: the line's key. */
export function lineKey(window: Uint8Array, at: number): string | null {
  const start = lineStart(window, at);
  if (isCut(window, start)) return null;
  const line = textOf(window, start, at);
  return named(/^\s*(?:export +|- +)*["']?([\p{L}_][^=:#"'\n]{0,63}?)["']?\s*[=:]/u.exec(line));
}

/** ini, properties, toml: the line's key, after its section where the file has sections. */
export function sectionKey(window: Uint8Array, at: number): string | null {
  const key = lineKey(window, at);
  const section = key === null ? null : sectionBefore(window, at);
  return section === null ? key : `[${section}] ${key}`;
}

/** A mail's header: the nearest line before that is no continuation of another. */
export function headerName(window: Uint8Array, at: number): string | null {
  const min = Math.max(0, at - SECTION_REACH);
  let start = lineStart(window, at);
  while (start > min && (window[start] === 0x20 || window[start] === 0x09))
    start = lineStart(window, start - 1);
  if (isCut(window, start)) return null;
  return named(/^([!-9;-~]{1,64}):/.exec(textOf(window, start, Math.min(at, start + NAME_REACH))));
}

/**
 * Calendars and contacts: the name at the beginning of the line, without its group and parameters
 * (`item1.EMAIL;TYPE=work:`), unless the value is a text that names its own values.
 */
export function propertyName(window: Uint8Array, at: number): string | null {
  const start = lastByte(window, LF, at - 1, Math.max(0, at - SECTION_REACH)) + 1;
  const head = textOf(window, start, Math.min(at, start + PROPERTY_REACH));
  const property = /^(?:[\w-]{1,64}\.)?([\w-]{1,64})(?![\w-])(?:;(?:"[^"]*"|[^":])*)?(:)?/.exec(head);
  const inText = property?.[2] !== undefined && separatorBefore(window, at) >= start + property[0].length;
  // TEL is a property here, though a colon after it usually makes it a URI scheme.
  const name = property?.[1];
  return (inText ? label(window, at) : null) ?? (name === undefined ? null : shownName(name));
}

/** The `=`, `:` or `|` directly before, but for blanks and an opening bracket or quote; -1: something else is there. */
function separatorBefore(window: Uint8Array, at: number): number {
  let i = at - 1;
  while (i >= 0 && at - i < 8 && isOpener(window[i]!)) i--;
  const byte = window[i];
  return byte === EQUALS || byte === COLON || byte === BAR ? i : -1;
}

function isOpener(byte: number): boolean {
  return isSpaceOrQuote(byte) || byte === 0x28 || byte === 0x3c || byte === 0x5b || byte === 0x2a; // ( < [ *
}

function isSpaceOrQuote(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x22 || byte === 0x27 || byte === 0x60;
}

function nameBefore(window: Uint8Array, separator: number, pattern: RegExp): string | null {
  if (pattern === WORDS && !endsInWord(window, separator)) return null;
  const word = pattern === WORD ? plainWordBefore(window, separator) : undefined;
  if (word !== undefined) return word === null || SCHEME.test(word) ? null : shownName(word);
  const from = Math.max(lineStart(window, separator), separator - NAME_REACH);
  const match = pattern.exec(textOf(window, from, separator));
  return match?.index === 0 && isCut(window, from) ? HIDDEN : named(match);
}

/** What WORD would find, for names in ASCII, which is nearly all of them; undefined: there is more to it. */
function plainWordBefore(window: Uint8Array, separator: number): string | null | undefined {
  let end = separator;
  while (isOperator(window[end - 1])) end--;
  while (window[end - 1] === 0x20 || window[end - 1] === 0x09) end--;
  if (isCloser(window[end - 1])) end--;
  if (isCloser(window[end - 1])) end--;
  let start = end;
  while (start > 0 && separator - start < NAME_REACH && isNameByte(window[start - 1]!)) start--;
  // Non-ASCII letters or blanks, or a name that extends beyond the limit.
  if (
    start === 0 ||
    separator - start >= NAME_REACH ||
    isSpecial(window[start - 1]!) ||
    isSpecial(window[end - 1]!)
  )
    return undefined;
  while (start < end && !isNameStart(window[start]!)) start++;
  return start === end ? null : String.fromCharCode(...window.subarray(start, end));
}

/** Most colons are in times and numbers: no word precedes them, and WORDS need not be tested. */
function endsInWord(window: Uint8Array, separator: number): boolean {
  let i = separator - 1;
  while (i >= 0 && (window[i] === 0x20 || isCloser(window[i]) || window[i] === 0x5f)) i--;
  for (; i >= 0 && separator - i < NAME_REACH; i--) {
    const byte = window[i]!;
    if (isSpecial(byte) || byte === 0x09) return true; // let WORDS decide
    if (!isNameByte(byte)) return false;
    if (isNameStart(byte)) return true;
  }
  return false;
}

function isOperator(byte: number | undefined): boolean {
  return byte === COLON || byte === EQUALS || byte === 0x21;
}

function isCloser(byte: number | undefined): boolean {
  return byte === 0x22 || byte === 0x27 || byte === 0x60 || byte === 0x5d || byte === 0x2a; // " ' ` ] *
}

function isNameStart(byte: number): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || byte === 0x5f || byte === 0x24; // _ $
}

function isNameByte(byte: number): boolean {
  return isNameStart(byte) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d; // . -
}

/** Non-ASCII, or white space that only RegExp knows. */
function isSpecial(byte: number): boolean {
  return byte >= 0x80 || (byte >= 0x0b && byte <= 0x0d);
}

function named(match: RegExpExecArray | null): string | null {
  const name = match?.[1]?.trim();
  return name === undefined || name === '' || SCHEME.test(name) ? null : shownName(name);
}

function lineStart(window: Uint8Array, at: number): number {
  const min = Math.max(0, at - LINE_REACH);
  const newline = lastByte(window, LF, at - 1, min);
  return newline === -1 ? min : newline + 1;
}

/** The window begins inside a line: its beginning may be the rest of a value, which masking would not recognise. */
function isCut(window: Uint8Array, start: number): boolean {
  return start > 0 && window[start - 1] !== LF;
}

function sectionBefore(window: Uint8Array, at: number): string | null {
  const min = Math.max(0, at - SECTION_REACH);
  let start = lastByte(window, 0x5b, at - 1, min);
  while (start > 0 && window[start - 1] !== LF) start = lastByte(window, 0x5b, start - 1, min);
  if (start === -1) return null;
  const name = /^\[+([^\]\n]{1,64})\]/
    .exec(textOf(window, start, Math.min(at, start + NAME_REACH)))?.[1]
    ?.trim();
  return name === undefined ? null : shownName(name);
}
