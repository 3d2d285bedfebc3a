/** What the values of a column mean, and how they are written. */
import { CorruptInput } from '../../../extraction-error.ts';
import { writeDate, writeTime, writeTimestamp } from '../calendar.ts';
import type { CellWriter } from '../cell-writer.ts';
import { isPlainText } from '../plain-text.ts';
import { decimalText, signedInteger, uuidText } from '../value-text.ts';
import { wholeDouble } from '../whole-double.ts';
import { type Column, LOGICAL, type SchemaElement } from './schema.ts';
import { writeVariant } from './variant.ts';

export type WriteSlice = (out: CellWriter, bytes: Uint8Array, from: number, to: number) => void;
export type WriteInteger = (out: CellWriter, value: number | bigint) => void;

export interface ColumnCodec {
  /** Bytes per value; 0: variable length. */
  readonly width: number;
  readonly slice: WriteSlice;
  /** For values that may be stored as differences. */
  readonly integer: WriteInteger | null;
  /** Values are written verbatim if no byte is below this; those of unknown meaning must be ASCII, too. */
  readonly min?: number;
}

const FIRST_HARMLESS = 0x0e;
const FIRST_PRINTABLE = 0x20;

export const TYPE = { int32: 1, int64: 2, int96: 3, double: 5, bytes: 6, fixed: 7 } as const;

const CONVERTED = {
  utf8: 0,
  enum: 4,
  decimal: 5,
  date: 6,
  timeMillis: 7,
  timeMicros: 8,
  timestampMillis: 9,
  timestampMicros: 10,
  firstUnsigned: 11,
  lastUnsigned: 14,
  json: 19,
  bson: 20,
  interval: 21,
} as const;

/** How many of its units a millisecond has. */
const UNITS = [1, 1, 1e3, 1e6];
const NANOS_PER_MILLI = 1e6;
const DAY = 86_400_000;
const JULIAN_1970 = 2_440_588;

/** null: holds nothing that could be text: truth values, fractions, shapes on a map. */
export function columnCodec(column: Column): ColumnCodec | null {
  const { element } = column;
  if (isVariantPart(column))
    return element.name === 'value' ? { width: 0, slice: writeVariant, integer: null } : null;
  switch (element.type) {
    case TYPE.int32: {
      const write = integerOf(element, (value) => Number(value) >>> 0);
      return { width: 4, slice: (out, bytes, at) => write(out, int32(bytes, at)), integer: write };
    }
    case TYPE.int64: {
      const write = integerOf(element, (value) => (value < 0 ? BigInt.asUintN(64, BigInt(value)) : value));
      return { width: 8, slice: (out, bytes, at) => write(out, int64(bytes, at)), integer: write };
    }
    case TYPE.int96:
      return { width: 12, slice: writeInt96, integer: null };
    case TYPE.double:
      return { width: 8, slice: writeDouble, integer: null };
    case TYPE.bytes:
      return bytesKind(element, 0);
    case TYPE.fixed:
      if (!(element.typeLength > 0)) throw new CorruptInput('Parquet schema');
      return bytesKind(element, element.typeLength);
    default:
      return null;
  }
}

/** Its own values and the names of its fields; fields that are stored in separate columns are read like any other column. */
function isVariantPart({ variant, element: { type, name, converted, logical } }: Column): boolean {
  const bare = type === TYPE.bytes && converted === -1 && logical.is === 0;
  return variant && bare && (name === 'value' || name === 'metadata');
}

function bytesKind(element: SchemaElement, width: number): ColumnCodec | null {
  const { logical, converted } = element;
  const written = (slice: WriteSlice): ColumnCodec => ({ width, slice, integer: null });
  if (logical.is === LOGICAL.decimal || converted === CONVERTED.decimal) {
    const scale = logical.is === LOGICAL.decimal ? logical.scale : element.scale;
    return written((out, bytes, from, to) => writeDecimal(out, signedInteger(bytes, from, to), scale));
  }
  if (logical.is === LOGICAL.uuid && width === 16)
    return written((out, bytes, at) => out.ascii(uuidText(bytes, at)));
  if (WITHOUT_TEXT.has(logical.is) || converted === CONVERTED.interval) return null;
  const text = TEXTS.has(logical.is) || CONVERTED_TEXTS.has(converted);
  if (!text) return { ...written(writeIfText), min: FIRST_PRINTABLE };
  return { ...written((out, bytes, from, to) => out.bytes(bytes, from, to)), min: FIRST_HARMLESS };
}

const TEXTS: ReadonlySet<number> = new Set([LOGICAL.string, LOGICAL.enum, LOGICAL.json]);
const CONVERTED_TEXTS: ReadonlySet<number> = new Set([CONVERTED.utf8, CONVERTED.enum, CONVERTED.json]);
const WITHOUT_TEXT: ReadonlySet<number> = new Set([LOGICAL.float16, LOGICAL.geometry, LOGICAL.geography]);

export function isBson({ element }: Column): boolean {
  return element.logical.is === LOGICAL.bson || element.converted === CONVERTED.bson;
}

function writeIfText(out: CellWriter, bytes: Uint8Array, from: number, to: number): void {
  if (isPlainText(bytes, from, to)) out.bytes(bytes, from, to);
  else out.skip(to - from);
}

function integerOf(
  element: SchemaElement,
  unsigned: (value: number | bigint) => number | bigint,
): WriteInteger {
  const { logical, converted } = element;
  if (logical.is === LOGICAL.decimal) return (out, value) => writeDecimal(out, value, logical.scale);
  if (converted === CONVERTED.decimal) return (out, value) => writeDecimal(out, value, element.scale);
  if (logical.is === LOGICAL.date || converted === CONVERTED.date)
    return (out, value) => writeDate(out, Number(value));
  const time = unitOf(element, LOGICAL.time, CONVERTED.timeMillis, CONVERTED.timeMicros);
  if (time !== 0) return (out, value) => writeTime(out, Math.floor(Number(value) / time));
  const stamp = unitOf(element, LOGICAL.timestamp, CONVERTED.timestampMillis, CONVERTED.timestampMicros);
  if (stamp !== 0) return (out, value) => writeTimestamp(out, Math.floor(Number(value) / stamp));
  if (isUnsigned(element)) return (out, value) => out.integer(unsigned(value));
  return (out, value) => out.integer(value);
}

/** Of a time in milliseconds; 0: it is none. */
function unitOf({ logical, converted }: SchemaElement, is: number, millis: number, micros: number): number {
  if (logical.is === is) return UNITS[logical.unit] ?? 1;
  return converted === millis ? 1 : converted === micros ? 1e3 : 0;
}

function isUnsigned({ logical, converted }: SchemaElement): boolean {
  if (logical.is === LOGICAL.integer) return !logical.signed;
  return converted >= CONVERTED.firstUnsigned && converted <= CONVERTED.lastUnsigned;
}

function writeDecimal(out: CellWriter, unscaled: number | bigint | null, scale: number): void {
  if (unscaled !== null) out.ascii(decimalText(unscaled, scale));
}

/** Time within a day in nanoseconds, and the day. */
function writeInt96(out: CellWriter, bytes: Uint8Array, at: number): void {
  const time = Number(int64(bytes, at)) / NANOS_PER_MILLI;
  writeTimestamp(out, (int32(bytes, at + 8) - JULIAN_1970) * DAY + Math.floor(time));
}

function writeDouble(out: CellWriter, bytes: Uint8Array, at: number): void {
  const value = wholeDouble(bytes, at + 7, -1);
  if (value !== null) out.integer(value);
}

function int32(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

function int64(bytes: Uint8Array, at: number): number | bigint {
  const low = int32(bytes, at) >>> 0;
  const high = int32(bytes, at + 4);
  return high >= -0x200000 && high < 0x200000
    ? high * 0x100000000 + low
    : (BigInt(high) << 32n) | BigInt(low);
}
