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
  begin(context: TextContext): void;
  push(bytes: Uint8Array): SpanBatch;
  end(): SpanBatch;
}
