import { byteSet, isAlnum, NEWLINE, runEnd, runStart, SPACE, textOf } from '../../bytes.ts';

/**
 * A parsed assignment: `name = value`, `"name": "value"`, `NAME=value`, `env['NAME'] = …`, `<name>value</name>`, and a value on the line
 * after `name: |` or `name = <<EOF`. Parsed from its separator.
 */
export interface Assignment {
  readonly name: string;
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const NAME = byteSet('azAZ09__--..');
const BLANK = byteSet('  \t\t');
const CLOSING = byteSet('  \t\t""\'\'``]]\\\\');
const OPENING = byteSet('  \t\t\n\n\r\r""\'\'``==||>>\\\\');
const MAX_OPENING_LENGTH = 20;
/** Values may be aligned in a column. */
const MAX_CLOSING_LENGTH = 40;
const KEY = byteSet('azAZ09++//__--..~~');
const PADDING = 2;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 256;
const EQUALS = 0x3d;
const COLON = 0x3a;
const GREATER = 0x3e;
const LESS = 0x3c;
const BACKSLASH = 0x5c;

/** The end of the name before a separator, so that its last letters can be tested before it is parsed. */
export function nameEndBefore(bytes: Buffer, separator: number): number {
  return runStart(bytes, separator, MAX_CLOSING_LENGTH, CLOSING);
}

export function parseAssignment(bytes: Buffer, separator: number): Assignment | null {
  const nameEnd = nameEndBefore(bytes, separator);
  const nameStart = runStart(bytes, nameEnd, MAX_NAME_LENGTH, NAME);
  if (nameStart === nameEnd) return null;
  const name = textOf(bytes, nameStart, nameEnd);
  if (bytes[separator] === GREATER) {
    return (bytes[nameStart - 1] === LESS && nameEnd === separator) ||
      isAttribute(bytes, nameStart, separator)
      ? element(bytes, { name, nameStart }, separator + 1)
      : null;
  }
  const from = valueStart(bytes, separator);
  if (from === 0) return null;
  const line = nextLine(bytes, from);
  const assigned = valueAt(bytes, { name, nameStart }, line === 0 ? from : line);
  const typed = assigned === null || bytes[separator] === EQUALS ? 0 : afterType(bytes, assigned);
  return typed === 0 ? assigned : valueAt(bytes, { name, nameStart }, typed);
}

/**
 * Whether the assigned value may be a key of at least `min` characters. Cheaper than parsing and without false negatives: most names that
 * end like a secret's have short values.
 */
export function assignsKey(bytes: Buffer, separator: number, min: number): boolean {
  const start = runEnd(bytes, separator + 1, MAX_OPENING_LENGTH, OPENING);
  return runEnd(bytes, start, min - PADDING, KEY) === start + min - PADDING;
}

/** The position after the separator's second byte and blanks; 0 if it is `==`, `::` or `://` instead of an assignment. */
function valueStart(bytes: Buffer, separator: number): number {
  let i = separator + 1;
  const next = bytes[i]!;
  if (bytes[separator] === COLON) {
    if (next === COLON || next === 0x2f) return 0;
    if (next === EQUALS) i++;
  } else {
    const before = bytes[separator - 1]!;
    if (next === EQUALS || before === EQUALS || before === 0x21 || before === LESS || before === GREATER)
      return 0;
    if (next === GREATER) i++;
  }
  return runEnd(bytes, i, 16, BLANK);
}

/** `<property name="password">`. */
function isAttribute(bytes: Buffer, nameStart: number, separator: number): boolean {
  return (
    isQuote(bytes[separator - 1]!) && /\b(?:name|key|id)=["']$/.test(textOf(bytes, nameStart - 8, nameStart))
  );
}

type Name = Pick<Assignment, 'name' | 'nameStart'>;

const BLOCK =
  /^(?:[|>][-+0-9]{0,2}|<<[-~]?["']?[A-Za-z_]\w{0,30}["']?|\$\(cat <<-?["']?[A-Za-z_]\w{0,30}["']?)[ \t]*\r?\n[ \t]*/;
const MAX_BLOCK_LENGTH = 80;

/** Where the first line of a YAML block (`|`, `>-`) or a heredoc (`<<EOF`) begins; 0 if the value is neither. */
function nextLine(bytes: Buffer, from: number): number {
  const first = bytes[from]!;
  if (first !== 0x7c && first !== GREATER && first !== LESS && first !== 0x24) return 0;
  const head = BLOCK.exec(textOf(bytes, from, from + MAX_BLOCK_LENGTH))?.[0];
  return head === undefined ? 0 : from + head.length;
}

/** Where the value of `name: Type = "value"` begins; 0 if no quoted value follows the type. */
function afterType(bytes: Buffer, type: Assignment): number {
  const blanksEnd = runEnd(bytes, type.end, 2, BLANK);
  if (type.quoted || bytes[blanksEnd] !== EQUALS) return 0;
  const from = runEnd(bytes, blanksEnd + 1, 2, BLANK);
  return isQuote(bytes[from]!) ? from : 0;
}

/** The value at `from`, in quotes or up to a blank. */
export function valueAt(bytes: Buffer, name: Name, from: number): Assignment | null {
  // JSON inside JSON: \"name\": \"value\"
  const escaped = bytes[from] === BACKSLASH && isQuote(bytes[from + 1]!) ? 1 : 0;
  const quote = bytes[from + escaped]!;
  if (!isQuote(quote)) return bare(bytes, name, from);
  const start = from + escaped + 1;
  for (let i = start; i < start + MAX_VALUE_LENGTH; i++) {
    const b = bytes[i]!;
    if (b === 0 || b === NEWLINE) return null;
    if (b === quote) return { ...name, start, end: i - escaped, quoted: true };
    if (b === BACKSLASH && escaped === 0) i++;
  }
  return null;
}

const BARE_END = byteSet('\x00 ""\'\'``,,;;<<>>');

function bare(bytes: Buffer, name: Name, start: number): Assignment | null {
  let end = start;
  while (end < start + MAX_VALUE_LENGTH && BARE_END[bytes[end]!] === 0 && !endsString(bytes, end)) end++;
  return end === start || end === start + MAX_VALUE_LENGTH ? null : { ...name, start, end, quoted: false };
}

/** `\n`: the end of a line in a string of JSON, as notebooks store their source. */
function endsString(bytes: Buffer, at: number): boolean {
  return bytes[at] === BACKSLASH && bytes[at + 1] === 0x6e && !isAlnum(bytes[at + 2]!);
}

function element(bytes: Buffer, name: Name, start: number): Assignment | null {
  let end = start;
  while (end < start + MAX_VALUE_LENGTH && bytes[end]! >= SPACE && bytes[end] !== LESS) end++;
  return bytes[end] === LESS && end > start ? { ...name, start, end, quoted: true } : null;
}

export function isQuote(byte: number): boolean {
  return byte === 0x22 || byte === 0x27 || byte === 0x60;
}
