/** A row: the types of all its values, then the values. */
import { CorruptInput } from '../../../extraction-error.ts';
import type { CellWriter } from '../cell-writer.ts';
import { isPlainText } from '../plain-text.ts';
import { wholeDouble } from '../whole-double.ts';
import type { TextEncoding } from './database.ts';
import { Varints } from './varints.ts';

const REAL = 7;
const ZERO = 8;
const ONE = 9;
const FIRST_BLOB = 12;
/** Sizes of the types below FIRST_BLOB; two of them are unused. */
const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

export interface RowShape {
  readonly encoding: TextEncoding;
  /** The value that is the number of the row itself, and missing in the record; -1: there is none. */
  readonly rowidAt: number;
  /** By column: a row that is shorter was written before the column was added. */
  readonly defaults: readonly Uint8Array[];
}

/** Where the record's types end and its values begin. */
export function headOf(bytes: Uint8Array, from: number, to: number): { types: Varints; end: number } {
  const varints = new Varints(bytes, from, to);
  const end = from + Number(varints.next());
  if (!(end >= varints.at && end <= to)) throw new CorruptInput('SQLite record');
  return { types: new Varints(bytes, varints.at, end), end };
}

/** Writes the values; how many there are. */
export function writeRecord(
  out: CellWriter,
  bytes: Uint8Array,
  from: number,
  to: number,
  { encoding, rowidAt, defaults }: RowShape,
  rowid: number | bigint,
): number {
  const { types, end: start } = headOf(bytes, from, to);
  let at = start;
  let count = 0;
  for (; types.at < start; count++) {
    const type = Number(types.next());
    const end = at + sizeOf(type);
    if (end > to) throw new CorruptInput('SQLite record');
    if (count === rowidAt && type === 0) out.integer(rowid);
    else writeValue(out, type, bytes, at, end, encoding);
    out.nextCell();
    at = end;
  }
  return writeDefaults(out, defaults, count);
}

/** Writes the defaults of the columns after the first `count`; returns the new count. */
export function writeDefaults(out: CellWriter, defaults: readonly Uint8Array[], count: number): number {
  for (let i = count; i < defaults.length; i++) {
    const value = defaults[i]!;
    out.bytes(value, 0, value.length);
    out.nextCell();
  }
  return Math.max(count, defaults.length);
}

export function sizeOf(type: number): number {
  const size = type >= FIRST_BLOB ? Math.floor((type - FIRST_BLOB) / 2) : SIZES[type];
  if (size === undefined) throw new CorruptInput('SQLite record');
  return size;
}

export function isText(type: number): boolean {
  return type > FIRST_BLOB && type % 2 === 1;
}

export function writeValue(
  out: CellWriter,
  type: number,
  bytes: Uint8Array,
  from: number,
  to: number,
  encoding: TextEncoding,
): void {
  if (isText(type)) {
    if (encoding === 'utf8') out.bytes(bytes, from, to);
    else out.text(textOf(bytes, from, to, encoding));
  } else if (type >= FIRST_BLOB) {
    if (isPlainText(bytes, from, to)) out.bytes(bytes, from, to);
  } else if (type === ZERO || type === ONE) {
    out.integer(type - ZERO);
  } else if (type === REAL) {
    writeReal(out, bytes, from);
  } else if (type > 0) {
    out.integer(integerOf(bytes, from, to));
  }
}

export function textOf(bytes: Uint8Array, from: number, to: number, encoding: TextEncoding): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
  if (encoding !== 'utf16be') return text.toString(encoding);
  return Buffer.from(text.subarray(0, text.length & ~1))
    .swap16()
    .toString('utf16le');
}

/** Big-endian, with a sign. */
export function integerOf(bytes: Uint8Array, from: number, to: number): number | bigint {
  let value = (bytes[from]! << 24) >> 24;
  const exact = Math.min(to, from + 6);
  for (let i = from + 1; i < exact; i++) value = value * 256 + bytes[i]!;
  if (exact === to) return value;
  const whole = (BigInt(value) << 16n) | BigInt(bytes[to - 2]! * 256 + bytes[to - 1]!);
  return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
}

function writeReal(out: CellWriter, bytes: Uint8Array, at: number): void {
  const value = wholeDouble(bytes, at, 1);
  if (value !== null) out.integer(value);
}
