import { bof, eof, record, u16, u32 } from './excel-97.fixture.ts';

export const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
/** With its length in a byte before it. */
export const short = (bytes: Buffer): Buffer => Buffer.concat([Buffer.of(bytes.length), bytes]);
/** In two. */
export const long = (bytes: Buffer): Buffer => Buffer.concat([u16(bytes.length), bytes]);
export const oldLabel = (row: number, column: number, text: Buffer, type = 0x204): Buffer =>
  record(type, u16(row, column, 0), long(text));

/** A workbook of Excel 5 or 95 with one sheet. Strings have no mark of how wide they are, and are in the code page of the workbook. */
export function oldBook(codePage: number, name: Buffer, records: readonly Buffer[]): Buffer {
  const head = [
    bof(5, 0x500),
    record(0x42, u16(codePage)),
    record(0x41e, u16(164), short(latin('yyyy-mm-dd'))),
    record(0xe0, u16(0, 0), Buffer.alloc(12)),
    record(0xe0, u16(0, 164), Buffer.alloc(12)),
  ];
  const sheetAt = (at: number) => record(0x85, u32(at), [0, 0], short(name));
  const from = Buffer.concat([...head, sheetAt(0), eof]).length;
  return Buffer.concat([...head, sheetAt(from), eof, bof(0x10, 0x500), ...records, eof]);
}
