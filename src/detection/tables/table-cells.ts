/** Follows the rows of a table through the window of a scan: where its cells are, and what the rules of its columns find in them. */
import { OUTLIER_PENALTY } from '../columns.ts';
import { type Detector, STRENGTHS } from '../detector.ts';
import type { Span } from '../matcher.ts';
import { PROOF, REASON } from '../reasons.ts';
import { valueOfCell } from './cell-values.ts';
import { type ColumnRule, type TableRules, type TableShape, tableRules } from './column-rules.ts';
import { RowReader } from './row-reader.ts';

/** Longer cells are texts: a match in them says nothing about the column. */
export const MAX_CELL_BYTES = 400;
const FORMAT_RANK = STRENGTHS.indexOf('format');

interface Thresholds {
  readonly report: Float64Array;
  readonly floor: number;
}

export class TableCells {
  readonly #shape: TableShape;
  readonly #charset: BufferEncoding;
  readonly #rules: TableRules;
  readonly #indices: ReadonlyMap<Detector, number>;
  readonly #thresholds: Thresholds;
  readonly #reader: RowReader;
  // Where the cells of the window begin, ascending, and their columns. Offsets of the text.
  readonly #starts: number[] = [];
  readonly #columns: number[] = [];
  // Cells in which only a proof counts, ascending.
  readonly #quietFrom: number[] = [];
  readonly #quietEnd: number[] = [];
  #window: Buffer = Buffer.alloc(0);
  #origin = 0;
  #out: Span[] = [];

  constructor(
    shape: TableShape,
    charset: BufferEncoding,
    offset: number,
    detectors: readonly Detector[],
    thresholds: Thresholds,
  ) {
    this.#shape = shape;
    this.#charset = charset;
    this.#rules = tableRules(shape, charset, detectors);
    this.#indices = new Map(detectors.map((detector, index) => [detector, index]));
    this.#thresholds = thresholds;
    this.#reader = new RowReader(
      shape,
      (row, column, from, start, end) => this.#take(row, column, from, start, end),
      offset,
    );
  }

  /** Reads on to the position `to` of the window; adds what is found in complete cells. */
  read(window: Buffer, to: number, origin: number, last: boolean, out: Span[]): void {
    this.#window = window;
    this.#origin = origin;
    this.#out = out;
    if (last) this.#reader.end(window, to, origin);
    else this.#reader.read(window, to, origin);
  }

  /** The name of the column at this offset of the text; undefined: not known here. */
  fieldAt(position: number): string | null | undefined {
    const { names } = this.#shape;
    if (position >= this.#reader.at) return undefined;
    if (position >= this.#reader.from) return names?.[this.#reader.column] || null;
    const n = lastAtOrBefore(this.#starts, position);
    return n < 0 ? undefined : names?.[this.#columns[n]!] || null;
  }

  /** Lowers the confidence of what only resembles a value, in columns and rows that hold something else. Null: too low to count. */
  doubted(span: Span): Span | null {
    if (this.#quietFrom.length === 0 || !isDoubtful(span) || !this.#isQuiet(span)) return span;
    const confidence = Math.round((span.confidence + OUTLIER_PENALTY) * 100) / 100;
    if (confidence < this.#thresholds.floor) return null;
    const reported = confidence >= this.#thresholds.report[span.detector]!;
    return { ...span, confidence, reported, reasons: span.reasons | REASON.otherMeaning };
  }

  /** Whether the match is most of such a cell: names in a text are still names. */
  #isQuiet({ start, end }: Span): boolean {
    const n = lastAtOrBefore(this.#quietFrom, start);
    if (n < 0 || start >= this.#quietEnd[n]!) return false;
    return (end - start) * 2 >= this.#quietEnd[n]! - this.#quietFrom[n]!;
  }

  /** Nothing before this offset will be asked about any more. */
  forget(before: number): void {
    const n = lastAtOrBefore(this.#starts, before);
    if (n > 0) {
      this.#starts.splice(0, n);
      this.#columns.splice(0, n);
    }
    const old = lastAtOrBefore(this.#quietFrom, before);
    if (old > 0) {
      this.#quietFrom.splice(0, old);
      this.#quietEnd.splice(0, old);
    }
  }

  #take(row: number, column: number, from: number, start: number, end: number): void {
    this.#starts.push(from);
    this.#columns.push(column);
    if (end - start > MAX_CELL_BYTES || end <= start) return;
    if (row < this.#rules.headers) {
      this.#doubt(from, end);
      return;
    }
    const rule = this.#rules.rules[column] ?? null;
    if (rule === null) return;
    if (rule.detector === null) this.#doubt(from, end);
    else this.#judge(rule, column, start, end);
  }

  #doubt(from: number, end: number): void {
    this.#quietFrom.push(from);
    this.#quietEnd.push(end);
  }

  #judge(rule: ColumnRule, column: number, start: number, end: number): void {
    const cell = this.#window.toString(this.#charset, start - this.#origin, end - this.#origin);
    const value = valueOfCell(cell);
    if (value === null || !rule.accepts(value.text)) return;
    const detector = this.#indices.get(rule.detector!)!;
    const { confidence } = rule;
    if (confidence < this.#thresholds.floor) return;
    const at = start + Buffer.byteLength(cell.slice(0, value.start), this.#charset);
    this.#out.push({
      detector,
      rank: STRENGTHS.indexOf(rule.detector!.strength),
      start: at,
      end: at + Buffer.byteLength(value.text, this.#charset),
      confidence,
      base: confidence,
      entropy: 0,
      reasons: REASON.pattern | REASON.fieldName,
      field: this.#shape.names?.[column] || null,
      reported: confidence >= this.#thresholds.report[detector]!,
      overlapped: null,
      wholeCell: true,
    });
  }
}

function isDoubtful({ rank, reasons, wholeCell }: Span): boolean {
  return rank >= FORMAT_RANK && (reasons & PROOF) === 0 && !wholeCell;
}

/** The index of the last number that is not greater; -1: none. */
function lastAtOrBefore(ascending: readonly number[], number: number): number {
  let low = 0;
  for (let high = ascending.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
