import type { RandomAccess } from '../../../document-item.ts';
import { CorruptInput, Encrypted, Unsupported } from '../../../extraction-error.ts';
import { cellText } from '../../../grid.ts';
import { builtInFormat, type NumberFormat, parseFormat } from '../../sheets/number-format.ts';
import { NumberText } from '../../sheets/number-text.ts';
import { BiffRecords, uint16, uint32 } from './biff-records.ts';
import { BiffStrings } from './biff-strings.ts';
import { WorkbookText } from './excel-text.ts';

export const BOF = 0x809;
export const EOF = 0x0a;
export const CONTINUE = 0x3c;
export const DRAWINGS = 0xeb;
const FILEPASS = 0x2f;
const DATEMODE = 0x22;
const CODEPAGE = 0x42;
const BOUNDSHEET = 0x85;
const XF = 0xe0;
const SST = 0xfc;
const FORMAT = 0x41e;

const BIFF5 = 0x500;
const BIFF8 = 0x600;
/** Charts in presentations, by a program of its own. */
const GRAPH = 0x680;
const CELLS = 0;
const MACROS = 1;
const CHART = 2;

export interface SheetPosition {
  readonly name: string;
  readonly from: number;
}

/** What all sheets of a workbook share. */
export class Globals {
  readonly sheets: SheetPosition[] = [];
  /** Escaped for a grid. */
  readonly strings: string[] = [];
  readonly text: WorkbookText = new WorkbookText();
  hasDrawings = false;
  #from1904 = false;
  #numbers: NumberText | null = null;
  readonly #sharedStrings = new BiffStrings((text) => this.strings.push(cellText(text)));
  readonly #codes = new Map<number, string>();
  readonly #formatIds: number[] = [];
  readonly #formats: Record<number, NumberFormat> = {};

  /** Formats a number with the cell's format index. */
  numberText(value: number, formatIndex: number): string {
    this.#numbers ??= new NumberText(this.#from1904);
    this.#formats[formatIndex] ??= this.#formatOf(this.#formatIds[formatIndex] ?? 0);
    return this.#numbers.ofNumber(value, this.#formats[formatIndex]);
  }

  #formatOf(id: number): NumberFormat {
    const code = this.#codes.get(id);
    return code === undefined ? builtInFormat(id) : parseFormat(code);
  }

  /** Returns whether the record can be continued. */
  take({ type, bytes, from, to }: BiffRecords, continued: boolean): boolean {
    if (type === FILEPASS) throw new Encrypted();
    if (type === DATEMODE) this.#from1904 = uint16(bytes, from) === 1;
    else if (type === CODEPAGE) this.text.setCodePage(uint16(bytes, from));
    else if (type === FORMAT)
      this.#codes.set(uint16(bytes, from), this.text.string(bytes, from + 2, to, 2, 1));
    else if (type === XF) this.#formatIds.push(uint16(bytes, from + 2));
    else if (type === BOUNDSHEET) this.#sheet(bytes, from, to);
    else if (type === DRAWINGS) this.hasDrawings = true;
    else if (type === SST) this.#sharedStrings.feed(bytes, Math.min(from + 8, to), to);
    else if (type === CONTINUE && continued) this.#sharedStrings.feed(bytes, from, to);
    return type === SST || (type === CONTINUE && continued);
  }

  #sheet(bytes: Buffer, from: number, to: number): void {
    const kind = bytes[from + 5];
    if (kind !== CELLS && kind !== MACROS && kind !== CHART) return;
    this.sheets.push({ name: this.text.string(bytes, from + 6, to, 1), from: uint32(bytes, from) });
  }
}

/** The first part of a workbook stream. */
export async function readGlobals(stream: RandomAccess): Promise<Globals> {
  const globals = new Globals();
  const records = new BiffRecords(stream, 0, stream.size);
  let first = true;
  let continued = false;
  while (await records.more())
    while (records.next()) {
      if (first && isOld(records)) globals.text.setOld();
      first = false;
      if (records.type === EOF) return globals;
      continued = globals.take(records, continued);
    }
  throw new CorruptInput('truncated workbook');
}

/** Whether it is of Excel 5 or 95, which have nearly the same records. */
function isOld({ type, bytes, from, length }: BiffRecords): boolean {
  const version = type === BOF && length >= 4 ? uint16(bytes, from) : 0;
  if (version === BIFF5 || version === BIFF8) return version === BIFF5;
  if (version === GRAPH) throw new Unsupported('Microsoft Graph chart');
  // The types of older versions differ in their upper byte.
  if ((type & 0xff) === (BOF & 0xff) && type <= BOF) throw new Unsupported('workbook older than Excel 5');
  throw new CorruptInput('workbook header');
}
