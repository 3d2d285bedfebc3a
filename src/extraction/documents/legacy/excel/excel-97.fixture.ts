/** Writes workbook streams of BIFF8. */
export interface SheetFixture {
  readonly name: string;
  readonly records: readonly Buffer[];
  /** 0 cells, 1 macros, 2 a chart. */
  readonly kind?: number;
}

export interface WorkbookFixture {
  readonly sheets: readonly SheetFixture[];
  readonly strings?: readonly SharedString[];
  /** The codes of number formats 164, 165, …; cell formats 1, 2, … use them. */
  readonly formats?: readonly string[];
  /** Records of shared strings are cut at this length. */
  readonly recordBytes?: number;
  readonly globals?: readonly Buffer[];
  readonly version?: number;
}

export type SharedString = string | { text: string; runs?: number; phonetic?: number };

export const record = (type: number, ...data: readonly (readonly number[] | Uint8Array)[]): Buffer => {
  const body = Buffer.concat(data.map((part) => Uint8Array.from(part)));
  return Buffer.concat([u16(type, body.length), body]);
};

export const u16 = (...values: readonly number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer);
export const u32 = (...values: readonly number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
export const f64 = (value: number): Buffer => Buffer.from(Float64Array.of(value).buffer);

/** With its length in two bytes. */
export const xlString = (text: string): Buffer => Buffer.concat([u16(text.length), flagged(text)]);

const isWide = (text: string) => /[^\0-\xff]/.test(text);
const characters = (text: string) => Buffer.from(text, isWide(text) ? 'utf16le' : 'latin1');
const flagged = (text: string) => Buffer.concat([[isWide(text) ? 1 : 0], characters(text)].map(bytes));
const bytes = (part: number[] | Buffer) => Uint8Array.from(part);

export const labelSst = (row: number, column: number, index: number, cellFormat = 0): Buffer =>
  record(0xfd, u16(row, column, cellFormat), u32(index));
export const label = (row: number, column: number, text: string): Buffer =>
  record(0x204, u16(row, column, 0), xlString(text));
export const number = (row: number, column: number, value: number, cellFormat = 0): Buffer =>
  record(0x203, u16(row, column, cellFormat), f64(value));
export const rk = (row: number, column: number, bits: number, cellFormat = 0): Buffer =>
  record(0x27e, u16(row, column, cellFormat), u32(bits));
export const bof = (kind: number, version = 0x600): Buffer =>
  record(0x809, u16(version, kind, 0x0dbb, 0x07cc), u32(0, 6));
export const eof: Buffer = record(0x0a);

export function workbookStream(workbook: WorkbookFixture): Buffer {
  const { sheets, strings = [], formats = [], recordBytes = 8224, globals = [], version } = workbook;
  const bodies = sheets.map(({ records, kind = 0 }) =>
    Buffer.concat([bof(kind === 2 ? 0x20 : 0x10), ...records, eof]),
  );
  const head = [
    bof(5, version),
    record(0x42, u16(1200)),
    ...globals,
    ...formats.map((code, i) => record(0x41e, u16(164 + i), xlString(code))),
    cellFormat(0),
    ...formats.map((_, i) => cellFormat(164 + i)),
  ];
  const shared = sharedStrings(strings, recordBytes);
  const before = [...head, ...sheets.map((sheet) => boundSheet(sheet, 0)), ...shared, eof];
  let at = before.reduce((sum, { length }) => sum + length, 0);
  const positions = bodies.map((body) => {
    at += body.length;
    return at - body.length;
  });
  const bounds = sheets.map((sheet, i) => boundSheet(sheet, positions[i]!));
  return Buffer.concat([...head, ...bounds, ...shared, eof, ...bodies]);
}

const cellFormat = (format: number) => record(0xe0, u16(0, format), Buffer.alloc(16));

const boundSheet = ({ name, kind = 0 }: SheetFixture, at: number) =>
  record(0x85, u32(at), [0, kind, name.length], flagged(name));

/** Characters may be cut anywhere, everything else but the head of a string too. */
export function sharedStrings(strings: readonly SharedString[], recordBytes: number): Buffer[] {
  const records: Buffer[] = [];
  let current: Buffer[] = [u32(strings.length, strings.length)];
  let left = recordBytes - 8;
  const cut = () => {
    records.push(record(records.length === 0 ? 0xfc : 0x3c, Buffer.concat(current)));
    current = [];
    left = recordBytes;
  };
  const put = (data: Buffer) => {
    for (let rest = data; rest.length > 0; ) {
      if (left === 0) cut();
      const part = rest.subarray(0, left);
      current.push(part);
      left -= part.length;
      rest = rest.subarray(part.length);
    }
  };
  for (const string of strings) {
    const { text, runs = 0, phonetic = 0 } = typeof string === 'string' ? { text: string } : string;
    const wide = isWide(text) ? 1 : 0;
    const flags = wide + (phonetic > 0 ? 4 : 0) + (runs > 0 ? 8 : 0);
    const head = [
      u16(text.length),
      Buffer.of(flags),
      runs > 0 ? u16(runs) : u16(),
      phonetic > 0 ? u32(phonetic) : u16(),
    ];
    const headBytes = Buffer.concat(head);
    if (left < headBytes.length) cut();
    put(headBytes);
    for (let rest = text; rest !== ''; ) {
      if (left < 1 + wide) {
        cut();
        put(Buffer.of(wide));
      }
      const part = rest.slice(0, left >> wide);
      put(Buffer.from(part, wide ? 'utf16le' : 'latin1'));
      rest = rest.slice(part.length);
    }
    put(Buffer.alloc(4 * runs + phonetic, 0x55));
  }
  cut();
  return records;
}
