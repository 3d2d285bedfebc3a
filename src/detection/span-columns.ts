import type { BlankShifts } from './blank-shifts.ts';
import type { LineCounter } from './line-counter.ts';
import type { Span } from './matcher.ts';
import type { OverlapLoser, SpanBatch } from './spans.ts';

/** The spans of one call as columns, in arrays that are reused across calls and grow on demand. */
export class SpanColumns implements SpanBatch {
  count = 0;
  detector = new Uint16Array(0);
  start = new Float64Array(0);
  end = new Float64Array(0);
  at = new Uint32Array(0);
  length = new Uint32Array(0);
  line = new Uint32Array(0);
  column = new Uint32Array(0);
  confidence = new Float32Array(0);
  reported = new Uint8Array(0);
  base = new Float32Array(0);
  entropy = new Float32Array(0);
  reasons = new Uint32Array(0);
  field: (string | null)[] = [];
  overlapped: (readonly OverlapLoser[] | null)[] = [];
  window: Buffer = Buffer.alloc(0);

  /** `origin`: the text offset of the window's first byte. Spans have offsets in the text as it is in the window, and are sorted. */
  fill(
    spans: readonly Span[],
    window: Buffer,
    origin: number,
    lines: LineCounter,
    shifts: BlankShifts,
  ): SpanBatch {
    if (spans.length > this.detector.length) this.#grow(spans.length * 2);
    this.count = spans.length;
    this.window = window;
    this.field.length = 0;
    this.overlapped.length = 0;
    spans.forEach((span, n) => {
      lines.moveTo(window, origin, span.start);
      this.line[n] = lines.number;
      this.#set(n, span, origin);
      this.start[n] = shifts.originalOf(span.start);
      this.end[n] = shifts.originalOf(span.end);
      this.column[n] = this.start[n]! - lines.start + 1;
    });
    return this;
  }

  #set(n: number, span: Span, origin: number): void {
    this.detector[n] = span.detector;
    this.at[n] = span.start - origin;
    this.length[n] = span.end - span.start;
    this.confidence[n] = span.confidence;
    this.reported[n] = span.reported ? 1 : 0;
    this.base[n] = span.base;
    this.entropy[n] = span.entropy;
    this.reasons[n] = span.reasons;
    this.field.push(span.field);
    this.overlapped.push(span.overlapped);
  }

  #grow(room: number): void {
    this.detector = new Uint16Array(room);
    this.start = new Float64Array(room);
    this.end = new Float64Array(room);
    this.at = new Uint32Array(room);
    this.length = new Uint32Array(room);
    this.line = new Uint32Array(room);
    this.column = new Uint32Array(room);
    this.confidence = new Float32Array(room);
    this.reported = new Uint8Array(room);
    this.base = new Float32Array(room);
    this.entropy = new Float32Array(room);
    this.reasons = new Uint32Array(room);
  }
}
