/** Parses values in the order of the schema. */

import { PartLimitExceeded } from '../../part-errors.ts';
import { writeDate, writeTime, writeTimestamp } from '../calendar.ts';
import type { CellWriter } from '../cell-writer.ts';
import { isPlainText } from '../plain-text.ts';
import { decimalText, signedInteger } from '../value-text.ts';
import { type AvroBytes, outOfData } from './avro-bytes.ts';
import type { Step } from './avro-columns.ts';
import type { AvroType } from './avro-schema.ts';

const MAX_DEPTH = 64;
/** How many of its units a millisecond has. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['millis', 1],
  ['micros', 1e3],
  ['nanos', 1e6],
]);

/** The cells of a row. */
export function writeRow(out: CellWriter, data: AvroBytes, step: Step): void {
  if (step.is === 'cell') {
    writeValue(out, data, step.type, 0);
    out.nextCell();
  } else if (step.is === 'row') {
    data.step();
    for (const one of step.steps) writeRow(out, data, one);
  } else {
    const branch = data.size();
    if (branch >= step.branches) throw outOfData();
    if (branch === step.branch) writeRow(out, data, step.row);
    else out.nextCell(step.width);
  }
}

/** Values within one cell are concatenated. Booleans and fractions are skipped. */
function writeValue(out: CellWriter, data: AvroBytes, type: AvroType, depth: number): void {
  switch (type.is) {
    case 'string':
      return writeText(out, data, data.size());
    case 'int':
    case 'long':
      out.item();
      return writeInteger(out, data.long(), type.logical);
    case 'union': {
      const branch = type.branches[data.size()];
      if (branch === undefined) throw outOfData();
      return writeValue(out, data, branch, depth + 1);
    }
    case 'bytes':
      return writeBytes(out, data, data.size(), type.decimals);
    case 'fixed':
      data.step();
      if (type.logical === 'duration') data.pass(type.size);
      else writeBytes(out, data, type.size, type.decimals);
      return;
    case 'enum':
      return writeSymbol(out, type.symbols[data.size()]);
    case 'double':
      return writeDouble(out, data.wholeDouble());
    case 'float':
      data.pass(4);
      return;
    case 'boolean':
      data.pass(1);
      return;
    case 'null':
      return data.step();
    default:
      if (depth > MAX_DEPTH) throw new PartLimitExceeded('Avro depth');
      return writeNested(out, data, type, depth + 1);
  }
}

type Nested = Extract<AvroType, { is: 'record' | 'array' | 'map' }>;

function writeNested(out: CellWriter, data: AvroBytes, type: Nested, depth: number): void {
  data.step();
  if (type.is === 'record') {
    for (const { label, type: inner } of type.fields) {
      out.label(label);
      writeValue(out, data, inner, depth);
    }
    return;
  }
  for (let count = itemCount(data); count > 0; count = itemCount(data)) {
    for (let i = 0; i < count; i++) {
      if (type.is === 'map') out.key(data.bytes, data.pass(data.size()), data.at);
      writeValue(out, data, type.of, depth);
    }
  }
}

/** The item count of the next block of an array or a map; 0 after the last one. Items of zero length are not counted. */
function itemCount(data: AvroBytes): number {
  const count = data.long();
  if (count < 0) data.long(); // the block's size in bytes, for readers that skip it
  const size = Math.abs(Number(count));
  if (size > data.left) throw outOfData();
  return size;
}

function writeText(out: CellWriter, data: AvroBytes, length: number): void {
  const from = data.pass(length);
  out.item();
  out.bytes(data.bytes, from, data.at);
}

function writeBytes(out: CellWriter, data: AvroBytes, length: number, decimals: number | null): void {
  const from = data.pass(length);
  out.item();
  if (decimals === null) {
    if (isPlainText(data.bytes, from, data.at)) out.bytes(data.bytes, from, data.at);
    return;
  }
  const unscaled = signedInteger(data.bytes, from, data.at);
  if (unscaled !== null) out.ascii(decimalText(unscaled, decimals));
}

function writeSymbol(out: CellWriter, symbol: string | undefined): void {
  if (symbol === undefined) throw outOfData();
  out.item();
  out.text(symbol);
}

/** Integer identifiers become doubles in columns with missing values; real fractions don't identify anyone. */
function writeDouble(out: CellWriter, whole: number | null): void {
  if (whole === null) return;
  out.item();
  out.integer(whole);
}

function writeInteger(out: CellWriter, value: number | bigint, logical: string): void {
  if (logical === '') return out.integer(value);
  if (logical === 'date') return writeDate(out, Number(value));
  const unit = UNITS.get(logical.slice(logical.lastIndexOf('-') + 1));
  if (unit === undefined) return out.integer(value);
  const milliseconds = Math.floor(Number(value) / unit);
  if (logical.startsWith('time-')) writeTime(out, milliseconds);
  else if (logical.includes('timestamp-')) writeTimestamp(out, milliseconds);
  else out.integer(value);
}
