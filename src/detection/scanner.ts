import { BlankShifts } from './blank-shifts.ts';
import { type Detector, LOOKAHEAD_BYTES, LOOKBEHIND_BYTES } from './detector.ts';
import { createKernel } from './kernel/kernel.ts';
import { FIELD_SCOPE, type FieldScope, type Prefilter } from './kernel/prefilter.ts';
import type { PrefilterPlan } from './kernel/prefilter-plan.ts';
import { LineCounter } from './line-counter.ts';
import { Matcher, type Span, type Thresholds } from './matcher.ts';
import { OverlapResolver } from './overlaps.ts';
import { SpanColumns } from './span-columns.ts';
import type { OnSpans, Scanner, TextContext } from './spans.ts';
import { TableCells } from './tables/table-cells.ts';
import { narrowBlanks } from './wide-blanks.ts';

export interface ScannerOptions {
  /** One for all, or by detector. */
  readonly minConfidence?: number | Float64Array;
  /** Matches at or above it are counted even if they are not reported. */
  readonly floor?: number;
  /** The prefilter; the kernel by default. */
  readonly createPrefilter?: (plan: PrefilterPlan) => Prefilter | null;
}

const DEFAULT_THRESHOLD = 0.5;

export function createScanner(detectors: readonly Detector[], options: ScannerOptions = {}): Scanner {
  const { minConfidence = DEFAULT_THRESHOLD, floor, createPrefilter = createKernel } = options;
  const report =
    typeof minConfidence === 'number'
      ? new Float64Array(detectors.length).fill(minConfidence)
      : minConfidence;
  const min = floor ?? report.reduce((min, one) => Math.min(min, one), 1);
  return new WindowScanner(detectors, { report, floor: min }, createPrefilter);
}

/**
 * The part of the text that the field reader sees: a block at a fixed offset plus a margin, so that it is the same for any chunking and
 * neighbouring values share it.
 */
const FIELD_BLOCK = 2048;
const FIELD_LOOKBEHIND = 4096;
const FIELD_LOOKAHEAD = 1024;
const HISTORY = LOOKBEHIND_BYTES + FIELD_LOOKBEHIND + FIELD_BLOCK;
/** The bytes around a span that determine it: everything verifiers and field readers may read, and its chain of overlaps. */
export const LEAD_IN: number = HISTORY + LOOKAHEAD_BYTES + 2 * OverlapResolver.CELL;
export const LEAD_OUT: number = LOOKBEHIND_BYTES + LOOKAHEAD_BYTES + 2 * OverlapResolver.CELL;
const PLAIN_WINDOW = 128 * 1024;

/**
 * A sliding window: [history][current part][look-ahead]. A candidate is verified only when all bytes that a verifier may read are
 * available, so chunk borders cannot matter; zeros before the text's start and after its end spare verifiers bounds checks. Spans are
 * held back until no later span can overlap them.
 */
class WindowScanner implements Scanner {
  #context: TextContext = { fieldAt: () => null };
  #onSpans: OnSpans = () => {};
  #fieldScope: FieldScope = FIELD_SCOPE.columns;
  readonly #detectors: readonly Detector[];
  readonly #thresholds: Thresholds;
  readonly #matcher: Matcher;
  #cells: TableCells | null = null;
  readonly #lines: LineCounter;
  #overlaps = new OverlapResolver();
  readonly #columns = new SpanColumns();
  readonly #window: Buffer;
  #textStart = LOOKBEHIND_BYTES; // in the window: the text's first byte
  #length = LOOKBEHIND_BYTES; // in the window: the end of the text read so far
  #scanned = LOOKBEHIND_BYTES; // in the window: candidates before this position have been verified
  #narrowed = LOOKBEHIND_BYTES; // in the window: blanks before this position have been narrowed
  readonly #shifts = new BlankShifts();
  #origin = -LOOKBEHIND_BYTES; // the text offset of the window's first byte
  #pending: Span[] = [];
  #view: Uint8Array | null = null; // what the field reader sees
  #viewStart = 0; // in the window
  #blockStart = 0; // in the window
  readonly #fieldAt = (at: number): string | null => this.#fieldNameAt(at);

  constructor(
    detectors: readonly Detector[],
    thresholds: Thresholds,
    createPrefilter: (plan: PrefilterPlan) => Prefilter | null,
  ) {
    this.#detectors = detectors;
    this.#thresholds = thresholds;
    this.#matcher = new Matcher(detectors, thresholds, createPrefilter);
    this.#lines = new LineCounter(this.#matcher.prefilter);
    this.#window = this.#matcher.prefilter.window ?? Buffer.alloc(PLAIN_WINDOW);
  }

  begin(context: TextContext, take: OnSpans, offset = 0): void {
    this.#context = context;
    this.#onSpans = take;
    this.#fieldScope = this.#matcher.beginText(context);
    this.#overlaps = new OverlapResolver();
    this.#pending = [];
    this.#window.fill(0, 0, LOOKBEHIND_BYTES);
    this.#textStart = this.#length = this.#scanned = this.#narrowed = LOOKBEHIND_BYTES;
    this.#origin = offset - LOOKBEHIND_BYTES;
    this.#shifts.clear();
    this.#view = null;
    this.#lines.begin(offset);
    this.#cells = this.#cellsOf(context, offset);
  }

  #cellsOf({ table, charset }: TextContext, offset: number): TableCells | null {
    if (table === undefined) return null;
    const encoding = charset === 'latin1' ? 'latin1' : 'utf8';
    return new TableCells(table, encoding, offset, this.#detectors, this.#thresholds);
  }

  get newlines(): number {
    return this.#lines.number - 1;
  }

  push(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      if (this.#room === 0) this.#advance();
      const chunk = bytes.subarray(from, from + this.#room);
      this.#window.set(chunk, this.#length);
      this.#length += chunk.length;
      from += chunk.length;
    }
  }

  end(): void {
    this.#window.fill(0, this.#length, this.#length + LOOKAHEAD_BYTES);
    this.#narrow(true);
    this.#readCells(true);
    const spans = this.#scanTo(this.#length);
    this.#release(Number.POSITIVE_INFINITY, spans);
    this.#overlaps.resolve(spans, 0);
    this.#emit(spans);
    this.#lines.moveTo(this.#window, this.#origin, this.#origin + this.#length);
  }

  get #room(): number {
    return this.#window.length - LOOKAHEAD_BYTES - this.#length;
  }

  #advance(): void {
    this.#narrow(false);
    this.#readCells(false);
    this.#emit(this.#scanTo(this.#length - LOOKAHEAD_BYTES));
    this.#makeRoom();
  }

  #narrow(last: boolean): void {
    const latin = this.#context.charset === 'latin1';
    const [shifts, origin, prefilter] = [this.#shifts, this.#origin, this.#matcher.prefilter];
    const narrowing = { last, latin, prefilter, shifts, origin };
    this.#narrowed = narrowBlanks(this.#window, this.#narrowed, this.#length, narrowing);
  }

  /** Before the matches are made, because they ask for the names of columns. */
  #readCells(last: boolean): void {
    const to = last ? this.#length : this.#narrowed;
    this.#cells?.read(this.#window, to, this.#origin, last, this.#pending);
  }

  #scanTo(to: number): Span[] {
    this.#matcher.run(
      this.#window,
      this.#scanned,
      to,
      this.#origin,
      this.#fieldScope,
      this.#fieldAt,
      this.#pending,
    );
    this.#scanned = Math.max(this.#scanned, to);
    const complete: Span[] = [];
    // A later candidate may still yield a span that starts up to LOOKBEHIND_BYTES before it.
    this.#release(this.#origin + to - LOOKBEHIND_BYTES, complete);
    return complete;
  }

  #release(before: number, out: Span[]): void {
    const pending = this.#pending.sort(byPosition);
    let n = 0;
    while (n < pending.length && pending[n]!.start < before) {
      const span = this.#cells === null ? pending[n]! : this.#cells.doubted(pending[n]!);
      if (span !== null) this.#overlaps.add(span, out);
      n++;
    }
    this.#overlaps.advanceTo(before, out);
    this.#pending = n === 0 ? pending : pending.slice(n);
  }

  #emit(spans: readonly Span[]): void {
    if (spans.length === 0) return;
    this.#onSpans(this.#columns.fill(spans, this.#window, this.#origin, this.#lines, this.#shifts));
  }

  /** Drops the part of the window that is no longer needed. */
  #makeRoom(): void {
    let keep = Math.max(this.#scanned - HISTORY, this.#textStart - LOOKBEHIND_BYTES);
    for (const start of [this.#pending[0]?.start, this.#overlaps.pendingFrom]) {
      if (start != null) keep = Math.min(keep, start - this.#origin - LOOKBEHIND_BYTES);
    }
    keep = Math.max(keep, 0);
    this.#lines.moveTo(this.#window, this.#origin, this.#origin + keep);
    this.#window.copyWithin(0, keep, this.#length);
    this.#textStart = Math.max(0, this.#textStart - keep);
    this.#view = null;
    this.#length -= keep;
    this.#scanned -= keep;
    this.#narrowed -= keep;
    this.#origin += keep;
    this.#shifts.forget(this.#origin);
    this.#cells?.forget(this.#origin);
  }

  #fieldNameAt(at: number): string | null {
    const column = this.#cells?.fieldAt(at + this.#origin);
    if (column !== undefined) return column;
    if (this.#view === null || at < this.#blockStart || at >= this.#blockStart + FIELD_BLOCK)
      this.#moveView(at);
    return this.#context.fieldAt(this.#view!, at - this.#viewStart);
  }

  #moveView(at: number): void {
    this.#blockStart = at - ((at + this.#origin) % FIELD_BLOCK);
    this.#viewStart = Math.max(this.#textStart, this.#blockStart - FIELD_LOOKBEHIND);
    const end = Math.min(this.#length, this.#blockStart + FIELD_BLOCK + FIELD_LOOKAHEAD);
    this.#view = this.#window.subarray(this.#viewStart, end);
  }
}

/** Several detectors may match at the same start; the order must not depend on the order of verification. */
function byPosition(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end || a.detector - b.detector;
}
