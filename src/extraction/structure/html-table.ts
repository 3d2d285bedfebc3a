/** The name of a cell in a table of HTML: the head of its column or, of a row that begins with one, of its row. */

import { lastByte, textOf } from './name.ts';
import { isColumnName } from './table.ts';

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const LETTER_A = 0x61;
const LETTER_D = 0x64;
const LETTER_H = 0x68;
const LETTER_R = 0x72;
const LETTER_T = 0x74;
const TAG_BYTES = 3; // <td
/** Rows that may be heads, of which the last one has the names. */
const MAX_HEADS = 4;
const MAX_HEADS_LENGTH = 4096;
const MAX_COLUMNS = 1000;
/** Of the row before a cell: more cells than that have no name. */
const MAX_TAGS = 256;

interface Known {
  readonly window: Uint8Array | null;
  readonly heads: boolean;
  /** The row of the last query, and the names above it. */
  row: number;
  names: readonly string[];
}

/** Cache for the current window, whose values are queried one after another. */
let known: Known = { window: null, heads: false, row: -1, names: [] };

/** Whether the window contains a header at all. Most don't, and are not parsed further. */
function hasHeads(window: Uint8Array): boolean {
  if (known.window !== window) {
    const bytes = Buffer.from(window.buffer, window.byteOffset, window.length);
    known = { window, heads: bytes.includes('<th') || bytes.includes('<TH'), row: -1, names: [] };
  }
  return known.heads;
}

/** `at`: where the tag of the cell begins. null: nothing within reach, from `least` on, names it. */
export function cellHead(window: Uint8Array, at: number, min: number): string | null {
  const row = hasHeads(window) ? rowOf(window, at, min) : null;
  if (row === null) return null;
  if (known.row !== row.start) {
    known.names = namesAbove(window, row.start, min);
    known.row = row.start;
  }
  const name = known.names[row.column] ?? '';
  if (name !== '') return name;
  return row.head === -1 ? null : textOfHead(window, row.head, at);
}

interface CellRow {
  readonly start: number;
  /** Of the cell, counted from 0. */
  readonly column: number;
  /** Where the nearest head to the left of it is; -1: there is none. */
  readonly head: number;
}

/** The start of the row that contains the cell, and the cell's index. */
function rowOf(window: Uint8Array, cell: number, min: number): CellRow | null {
  let column = 0;
  let head = -1;
  let inner = 0; // tables that ended before the cell
  let i = before(window, cell, min);
  for (let tags = 0; i !== -1 && tags < MAX_TAGS; tags++, i = before(window, i, min)) {
    const name = tableTag(window, i);
    if (name === '/table') inner++;
    else if (name === 'table' && inner-- === 0) return null;
    if (inner > 0 || name === null) continue;
    if (name === 'tr') return { start: i, column, head };
    if (name === 'td' || name === 'th') column += columnsOf(tagAt(window, i));
    if (name === 'th' && head === -1) head = i;
  }
  return null;
}

/** The column names of the table that contains a row. */
function namesAbove(window: Uint8Array, row: number, min: number): readonly string[] {
  let inner = 0;
  for (let i = before(window, row, min); i !== -1; i = before(window, i, min)) {
    if (inner === 0 && i === known.row) return known.names;
    const name = tableTag(window, i);
    if (name === '/table') inner++;
    else if (name === 'table' && inner-- === 0) return columnHeads(window, i, row);
  }
  return [];
}

/** Of the first rows that consist of header cells only, the last one counts. */
function columnHeads(window: Uint8Array, from: number, to: number): readonly string[] {
  const start = beginning(window, from, to);
  let names: readonly string[] = [];
  for (const row of start.split(/<tr\b/i, MAX_HEADS + 1).slice(1)) {
    if (/<td\b/i.test(row)) break;
    const heads = headsIn(row);
    if (heads.length > 1) names = heads;
  }
  return names;
}

/** One for each column. */
function headsIn(row: string): readonly string[] {
  const names: string[] = [];
  for (const head of row.split(/<th\b/i).slice(1)) {
    const tag = head.slice(0, head.indexOf('>') + 1);
    const name = nameIn(textWithin(head)) ?? '';
    for (let i = columnsOf(tag); i > 0 && names.length < MAX_COLUMNS; i--) names.push(name);
  }
  return names;
}

function textOfHead(window: Uint8Array, at: number, to: number): string | null {
  const [, head = ''] = beginning(window, at, to).split(/<\/?t[dhr]\b/i, 2);
  return nameIn(textWithin(head));
}

/** What is cut ends with a tag: names are whole, for a part of a value would not be recognised when they are masked. */
function beginning(window: Uint8Array, from: number, to: number): string {
  const text = textOf(window, from, Math.min(to, from + MAX_HEADS_LENGTH));
  return to - from > MAX_HEADS_LENGTH ? text.slice(0, text.lastIndexOf('<')) : text;
}

/** Without the rest of its own tag, and without others. */
function textWithin(cell: string): string {
  const text = cell.slice(cell.indexOf('>') + 1).replace(/<[^<>]*>?/g, ' ');
  return text.replace(/\s+/g, ' ').trim();
}

function nameIn(text: string): string | null {
  const name = text.endsWith(':') ? text.slice(0, -1).trim() : text;
  return isColumnName(name) ? name : null;
}

function columnsOf(tag: string): number {
  return Math.max(1, Number(/\bcolspan\s*=\s*["']?(\d{1,3})/i.exec(tag)?.[1] ?? 1));
}

/** From its `<` to its end, or to where another begins. */
function tagAt(window: Uint8Array, at: number): string {
  if (window[at + TAG_BYTES] === GT) return '';
  let end = at + 1;
  while (end < window.length && window[end] !== GT && window[end] !== LT) end++;
  return textOf(window, at, end);
}

/** The `<` before a position; -1: none within reach. */
function before(window: Uint8Array, at: number, min: number): number {
  return lastByte(window, LT, at - 1, min);
}

/** null: no tag of a table, or no beginning of one. */
function tableTag(window: Uint8Array, at: number): 'table' | '/table' | 'tr' | 'td' | 'th' | null {
  const first = letter(window, at + 1);
  if (first === SLASH) return isNamed(window, at + 2, 'table') ? '/table' : null;
  if (first !== LETTER_T) return null;
  const second = letter(window, at + 2);
  if (second === LETTER_A) return isNamed(window, at + 1, 'table') ? 'table' : null;
  if (!isEnd(window[at + TAG_BYTES])) return null;
  return second === LETTER_D ? 'td' : second === LETTER_R ? 'tr' : second === LETTER_H ? 'th' : null;
}

export function isNamed(window: Uint8Array, at: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) if (letter(window, at + i) !== name.charCodeAt(i)) return false;
  return isEnd(window[at + name.length]);
}

/** As a small one. */
function letter(window: Uint8Array, at: number): number {
  return (window[at] ?? 0) | 0x20;
}

function isEnd(byte = GT): boolean {
  return byte === GT || byte <= 0x20;
}
