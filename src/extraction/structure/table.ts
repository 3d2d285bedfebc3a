/**
 * Columns of CSV (RFC 4180, with other delimiters) and TSV. Only the header and the row of a finding are parsed; a CSV library would
 * parse every row.
 */
import type { FieldLocator } from '../extraction.ts';
import { isValueLike, textOf } from './name.ts';

const HEADER_BYTES = 16 * 1024;
const REACH = 64 * 1024;
const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const TAB = 0x09;

const NAMELESS: FieldLocator = { fieldAt: () => null, fieldScope: 'near' };

/** Columns of a table by the names in its first row, if that row looks like a header. */
export function tableColumns(head: Uint8Array, format: 'csv' | 'tsv'): FieldLocator {
  const start = head.length > HEADER_BYTES ? head.subarray(0, HEADER_BYTES) : head;
  const delimiter = format === 'tsv' ? TAB : delimiterOf(start);
  const names = headerNames(start, delimiter);
  const table = { delimiter, quoted: true, names, head };
  if (names === null) return { ...NAMELESS, table };
  const fieldAt: FieldLocator['fieldAt'] = (window, at) => {
    const column = columnAt(window, at, delimiter);
    return column === null ? null : names[column] || null;
  };
  return { fieldAt, fieldScope: 'columns', columns: names, delimiter, table };
}

/** The one of the usual delimiters that the first row has most of. */
function delimiterOf(head: Uint8Array): number {
  const row = new Map([...',;\t|'].map((c) => [c.charCodeAt(0), 0]));
  let quoted = false;
  for (const byte of head) {
    if (byte === QUOTE) quoted = !quoted;
    if (quoted) continue;
    if (byte === LF) break;
    const count = row.get(byte);
    if (count !== undefined) row.set(byte, count + 1);
  }
  return [...row].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** null: the first row holds values, or doesn't end in reach. */
function headerNames(head: Uint8Array, delimiter: number): string[] | null {
  const names: string[] = [];
  let quoted = false;
  let from = 0;
  for (let i = 0; i < head.length; i++) {
    const byte = head[i]!;
    if (byte === QUOTE) quoted = !quoted;
    if (quoted || (byte !== delimiter && byte !== LF)) continue;
    names.push(nameOf(textOf(head, from, i)));
    from = i + 1;
    if (byte === LF) return looksLikeHeader(names) ? names : null;
  }
  return null;
}

function nameOf(cell: string): string {
  const trimmed = cell.trim();
  return trimmed.startsWith('"') ? trimmed.slice(1, -1).replaceAll('""', '"') : trimmed;
}

function looksLikeHeader(names: readonly string[]): boolean {
  const named = names.filter((name) => name !== '');
  return named.length > 0 && named.every(isColumnName);
}

/** Not a value: it has a letter or a sign that stands for a word, no address, and no long number. */
export function isColumnName(cell: string): boolean {
  return !isValueLike(cell) && /\p{L}|^[#_№〒]/u.test(cell);
}

/**
 * Walks back from `at` to the start of the row, counting delimiters outside quotes. Whether `at` itself is inside quotes is decided by
 * the nearest quote that can only be an opening or only be a closing one.
 */
export function columnAt(window: Uint8Array, at: number, delimiter: number): number | null {
  const min = Math.max(0, at - REACH);
  let quoted = isQuoted(window, at, min, delimiter);
  let column = 0;
  for (let i = at - 1; i >= min; i--) {
    const byte = window[i]!;
    if (byte === QUOTE && roleOf(window, i, delimiter) !== 'literal') quoted = !quoted;
    if (quoted) continue;
    if (byte === LF) return column;
    if (byte === delimiter) column++;
  }
  return null;
}

function isQuoted(window: Uint8Array, at: number, min: number, delimiter: number): boolean {
  const before = Buffer.from(window.buffer, window.byteOffset + min, at - min);
  let toggles = 0;
  for (let i = before.lastIndexOf(QUOTE); i !== -1; i = i === 0 ? -1 : before.lastIndexOf(QUOTE, i - 1)) {
    const role = roleOf(window, min + i, delimiter);
    if (role === 'opening') return toggles % 2 === 0;
    if (role === 'closing') return toggles % 2 === 1;
    if (role !== 'literal') toggles++;
  }
  // Undecided: most windows begin outside quotes.
  return toggles % 2 === 1;
}

/**
 * An opening quote follows a delimiter or a line end, a closing one precedes one; a doubled one is adjacent to another. If both are
 * possible it is ambiguous, if neither is it is an ordinary character.
 */
function roleOf(
  window: Uint8Array,
  i: number,
  delimiter: number,
): 'opening' | 'closing' | 'unclear' | 'literal' {
  const before = window[i - 1];
  const after = window[i + 1];
  if (before === QUOTE || after === QUOTE) return 'unclear';
  const opens = before === undefined || before === delimiter || before === LF;
  const closes = after === undefined || after === delimiter || after === LF || after === CR;
  if (opens) return closes ? 'unclear' : 'opening';
  return closes ? 'closing' : 'literal';
}
