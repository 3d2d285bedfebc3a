import type { Span } from './matcher.ts';
import type { SpanBatch } from './spans.ts';

/** The spans of one call as columns, in arrays that are kept from call to call and grow when they must. */
export class SpanColumns implements SpanBatch {
  count = 0;
  detector = new Uint16Array(64);
  start = new Float64Array(64);
  end = new Float64Array(64);
  at = new Uint32Array(64);
  line = new Uint32Array(64);
  column = new Uint32Array(64);
  confidence = new Float32Array(64);
  reasons = new Uint32Array(64);
  field: (string | null)[] = [];
  window: Uint8Array = new Uint8Array(0);

  /** `origin`: the text's offset of the window's first byte. Spans carry offsets of the text. */
  fill(spans: readonly Span[], window: Uint8Array, origin: number): SpanBatch {
    if (spans.length > this.detector.length) this.#grow(spans.length * 2);
    this.count = spans.length;
    this.window = window;
    this.field.length = 0;
    spans.forEach((span, n) => {
      this.detector[n] = span.detector;
      this.start[n] = span.start;
      this.end[n] = span.end;
      this.at[n] = span.start - origin;
      this.line[n] = span.line;
      this.column[n] = span.column;
      this.confidence[n] = span.confidence;
      this.reasons[n] = span.reasons;
      this.field.push(span.field);
    });
    return this;
  }

  #grow(room: number): void {
    this.detector = new Uint16Array(room);
    this.start = new Float64Array(room);
    this.end = new Float64Array(room);
    this.at = new Uint32Array(room);
    this.line = new Uint32Array(room);
    this.column = new Uint32Array(room);
    this.confidence = new Float32Array(room);
    this.reasons = new Uint32Array(room);
  }
}
