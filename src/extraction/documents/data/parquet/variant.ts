/**
 * Parquet's variant type: values of any type in its own encoding. Field names are in a separate column and are not restored. Nested
 * values are read sequentially, not by their offsets, which may point anywhere, and to the same position any number of times.
 */

import { writeDate, writeTimestamp } from '../calendar.ts';
import type { CellWriter } from '../cell-writer.ts';
import { isPlainText } from '../plain-text.ts';
import { decimalText, signedInteger, uuidText } from '../value-text.ts';
import { endOfPage, PageBytes } from './bits.ts';

const MAX_DEPTH = 64;
const SHORT_TEXT = 1;
const OBJECT = 2;
const ARRAY = 3;

export function writeVariant(out: CellWriter, bytes: Uint8Array, from: number, to: number): void {
  out.skip(to - from);
  writeValue(out, new PageBytes(bytes, from, to), 0);
}

function writeValue(out: CellWriter, value: PageBytes, depth: number): void {
  if (depth > MAX_DEPTH) throw endOfPage();
  const head = value.byte();
  const more = head >> 2;
  if ((head & 3) === SHORT_TEXT) writeText(out, value, more);
  else if ((head & 3) === OBJECT)
    writeNested(out, value, more >> 4, 1 + (more & 3), 1 + ((more >> 2) & 3), depth);
  else if ((head & 3) === ARRAY) writeNested(out, value, more >> 2, 1 + (more & 3), 0, depth);
  else writePrimitive(out, value, more);
}

function writeNested(
  out: CellWriter,
  value: PageBytes,
  large: number,
  offsetSize: number,
  idSize: number,
  depth: number,
): void {
  const count = large & 1 ? value.uint32() : value.byte();
  value.pass(count * idSize + (count + 1) * offsetSize);
  for (let i = 0; i < count; i++) writeValue(out, value, depth + 1);
}

function writeText(out: CellWriter, value: PageBytes, length: number): void {
  const from = value.pass(length);
  out.item();
  if (isPlainText(value.bytes, from, value.at)) out.bytes(value.bytes, from, value.at);
}

/** By its number in the specification; truth values and fractions are passed over. */
function writePrimitive(out: CellWriter, value: PageBytes, type: number): void {
  if (type === 15 || type === 16) return writeText(out, value, value.uint32());
  const size = SIZES[type];
  if (size === undefined) throw endOfPage();
  const from = value.pass(size);
  const integer = (start: number): bigint => littleEndian(value.bytes, start, from + size);
  out.item();
  if (type >= 3 && type <= 6) out.integer(integer(from));
  else if (type >= 8 && type <= 10) out.ascii(decimalText(integer(from + 1), value.bytes[from]!));
  else if (type === 11) writeDate(out, Number(integer(from)));
  else if (type === 12 || type === 13) writeTimestamp(out, Math.floor(Number(integer(from)) / 1e3));
  else if (type === 18 || type === 19) writeTimestamp(out, Math.floor(Number(integer(from)) / 1e6));
  else if (type === 20) out.ascii(uuidText(value.bytes, from));
}

/** null, true, false, four integers, a double, three decimals, a date, two timestamps, a float, (two texts,) a time, two timestamps, a UUID. */
const SIZES = [0, 0, 0, 1, 2, 4, 8, 8, 5, 9, 17, 4, 8, 8, 4, undefined, undefined, 8, 8, 8, 16];

function littleEndian(bytes: Uint8Array, from: number, to: number): bigint {
  return signedInteger(bytes.slice(from, to).reverse(), 0, to - from) ?? 0n;
}
