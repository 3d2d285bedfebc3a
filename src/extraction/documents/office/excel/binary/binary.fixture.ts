/** Writes binary workbooks, the wrong ones included. */
import { type Files, relations } from '../../office.fixture.ts';

export function record(type: number, ...data: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(data);
  const head = type < 0x80 ? [type] : [(type & 0x7f) | 0x80, type >> 7];
  let length = body.length;
  for (; length >= 0x80; length >>= 7) head.push((length & 0x7f) | 0x80);
  return Buffer.concat([Buffer.from([...head, length]), body]);
}

export const u8 = (...values: readonly number[]): Buffer => Buffer.from(values);

export const u16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);

export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 * i);
  return bytes;
}

export function float(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

export const wide = (text: string): Buffer => Buffer.concat([u32(text.length), Buffer.from(text, 'utf16le')]);

/** A formula that is one text. */
export const formula = (text: string): Buffer =>
  Buffer.concat([u32(3 + 2 * text.length), u8(0x17), u16(text.length), Buffer.from(text, 'utf16le'), u32(0)]);

export const row = (number: number): Buffer => record(0, u32(number - 1, 0), Buffer.alloc(9));

/** A cell with its column; the style precedes the value. */
export const cell = (type: number, column: number, value: Uint8Array, style = 0): Buffer =>
  record(type, u32(column, style), value);

/** The value of a cell that is a text gets a cell of its own, a number one of eight bytes. */
export const rowOf = (number: number, ...values: readonly (string | number)[]): Buffer =>
  Buffer.concat([
    row(number),
    ...values.map((value, column) =>
      typeof value === 'string' ? cell(6, column, wide(value)) : cell(5, column, float(value)),
    ),
  ]);

export const sheetOf = (rows: readonly Uint8Array[], after: readonly Uint8Array[] = []): Buffer =>
  Buffer.concat([record(129), record(145), ...rows, record(146), ...after, record(130)]);

const stringsOf = (strings: readonly string[]): Buffer =>
  Buffer.concat([
    record(159, u32(strings.length, strings.length)),
    ...strings.map((text) => record(19, u8(0), wide(text))),
    record(160),
  ]);

const style = (format: number): Buffer => record(47, u16(0), u16(format), Buffer.alloc(12));

/** Styles of cells: 0 as it is, 1 a date, 2 a date of its own format, 3 a number in groups. */
const STYLES = Buffer.concat([
  record(278),
  record(44, u16(164), wide('dd\\.mm\\.yyyy')),
  record(44, u16(165), wide('000\\-00\\-0000')),
  record(626),
  style(14),
  record(627),
  record(617),
  ...[0, 14, 164, 165].map(style),
  record(618),
  record(279),
]);

interface Book {
  readonly strings?: readonly string[];
  readonly from1904?: boolean;
  readonly names?: readonly Uint8Array[];
  readonly more?: Files;
  /** Of the workbook: `id: [type, target]`. */
  readonly relations?: Readonly<Record<string, readonly [string, string]>>;
}

/** Sheets by their names; their files are numbered in this order. */
export function binaryFiles(sheets: Readonly<Record<string, Uint8Array>>, book: Book = {}): Files {
  const names = Object.keys(sheets);
  const main = Buffer.concat([
    record(131),
    record(153, u32(book.from1904 ? 1 : 0, 0), wide('')),
    record(143),
    ...names.map((name, i) => record(156, u32(1, i + 1), wide(`rId${i + 1}`), wide(name))),
    record(144),
    ...(book.names ?? []),
    record(132),
  ]);
  return {
    '[Content_Types].xml':
      '<Types><Override PartName="/xl/workbook.bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>',
    '_rels/.rels': relations({ rId1: ['officeDocument', 'xl/workbook.bin'] }),
    'xl/workbook.bin': main,
    'xl/_rels/workbook.bin.rels': relations({
      ...Object.fromEntries(
        names.map((_, i) => [`rId${i + 1}`, ['worksheet', `worksheets/sheet${i + 1}.bin`]]),
      ),
      rId101: ['sharedStrings', 'sharedStrings.bin'],
      rId102: ['styles', 'styles.bin'],
      ...book.relations,
    }),
    ...Object.fromEntries(names.map((name, i) => [`xl/worksheets/sheet${i + 1}.bin`, sheets[name]!])),
    'xl/sharedStrings.bin': stringsOf(book.strings ?? []),
    'xl/styles.bin': STYLES,
    ...book.more,
  };
}
