/**
 * What detection gives back: spans as columns of numbers, in order of their start, reused by the next call. Offsets
 * `start`/`end` are those of the part's text; `at` is where the span starts in `window`, the bytes that are still at hand.
 */
export interface SpanBatch {
  readonly count: number;
  readonly detector: Uint16Array; // index into the scanner's detectors
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly at: Uint32Array;
  readonly line: Uint32Array; // from 1
  readonly column: Uint32Array; // from 1, in bytes
  readonly confidence: Float32Array;
  readonly reasons: Uint32Array; // bits of reasons.ts
  readonly field: readonly (string | null)[];
  readonly window: Uint8Array;
}

/** What detection may ask about the text it looks at. */
export interface TextContext {
  fieldAt(window: Uint8Array, at: number): string | null;
}

/** Bytes in, spans out; one part after another. Chunk borders never change the result. */
export interface Scanner {
  /**
   * `offset`: where in the part's text the first byte stands that will be pushed. One may begin in the middle and end
   * early: spans that start at least LEAD_IN bytes behind the first byte and LEAD_OUT before the last are those of the whole
   * text; their lines are counted from the first byte.
   */
  begin(context: TextContext, offset?: number): void;
  push(bytes: Uint8Array): SpanBatch;
  end(): SpanBatch;
  /** Line ends in what was pushed. Complete after `end`. */
  readonly newlines: number;
}
