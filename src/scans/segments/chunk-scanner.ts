import type { OnSpans, Scanner, SpanBatch, TextContext } from '../../detection/spans.ts';

/** A scanner that starts in the middle of a text and returns only the spans that start in `[from, to)`. */
export class ChunkScanner implements Scanner {
  readonly #scanner: Scanner;
  #offset = 0;
  #from = 0;
  #to = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** Sets the range of the next text, in its offsets: the first byte that will be pushed is at `offset`. */
  setRange(offset: number, from: number, to: number): void {
    this.#offset = offset;
    this.#from = from;
    this.#to = to;
  }

  begin(context: TextContext, take: OnSpans): void {
    this.#scanner.begin(context, (spans) => take(this.#ownSpans(spans)), this.#offset);
  }

  push(bytes: Uint8Array): void {
    this.#scanner.push(bytes);
  }

  end(): void {
    this.#scanner.end();
  }

  get newlines(): number {
    return this.#scanner.newlines;
  }

  /** Spans come in order of their start. */
  #ownSpans(spans: SpanBatch): SpanBatch {
    let first = 0;
    let end = spans.count;
    while (first < end && spans.start[first]! < this.#from) first++;
    while (end > first && spans.start[end - 1]! >= this.#to) end--;
    return end - first === spans.count ? spans : sliceSpans(spans, first, end);
  }
}

function sliceSpans(spans: SpanBatch, first: number, end: number): SpanBatch {
  return {
    count: end - first,
    detector: spans.detector.subarray(first, end),
    start: spans.start.subarray(first, end),
    end: spans.end.subarray(first, end),
    at: spans.at.subarray(first, end),
    length: spans.length.subarray(first, end),
    line: spans.line.subarray(first, end),
    column: spans.column.subarray(first, end),
    confidence: spans.confidence.subarray(first, end),
    reported: spans.reported.subarray(first, end),
    base: spans.base.subarray(first, end),
    entropy: spans.entropy.subarray(first, end),
    reasons: spans.reasons.subarray(first, end),
    overlapped: spans.overlapped.slice(first, end),
    field: spans.field.slice(first, end),
    window: spans.window,
  };
}
