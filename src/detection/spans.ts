/**
 * What detection gives back: spans as columns of numbers, in order of their start, valid during the call. Offsets
 * `start`/`end` are those of the part's text; `at` is where the span starts in `window`, the bytes that are still at hand,
 * and `length` how long it is there: shorter than in the text where that has wide blanks.
 */
export interface SpanBatch {
  readonly count: number;
  readonly detector: Uint16Array; // index into the scanner's detectors
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly at: Uint32Array;
  readonly length: Uint32Array;
  readonly line: Uint32Array; // from 1
  readonly column: Uint32Array; // from 1, in bytes
  readonly confidence: Float32Array; // may be below the threshold of its detector: then it is only counted
  readonly reported: Uint8Array; // 1: at or above the threshold
  readonly base: Float32Array; // before the context was weighed
  readonly entropy: Float32Array; // bits per character; 0: not measured
  readonly reasons: Uint32Array; // bits of reasons.ts
  readonly field: readonly (string | null)[];
  /** Who claimed the same bytes and lost. */
  readonly overlapped: readonly (readonly OverlapLoser[] | null)[];
  readonly window: Uint8Array;
}

/** A claim that lost the bytes to a stronger one. */
export interface OverlapLoser {
  readonly detector: number;
  readonly confidence: number;
}

export type OnSpans = (spans: SpanBatch) => void;

/** What detection may ask about the text it looks at. */
export interface TextContext {
  fieldAt(window: Uint8Array, at: number): string | null;
  /**
   * From how far a value may be named: `near` on its own line; `lists`: from the lines and brackets around it; `columns`: from the head
   * of a table, whose names are `columns` where they are known. Without it: from anywhere.
   */
  readonly fieldScope?: 'near' | 'lists' | 'columns';
  readonly columns?: readonly string[];
  /** The text's kind, which may have a weight of its own. */
  readonly format?: string;
  /** How its bytes stand for characters; UTF-8 unless told. */
  readonly charset?: 'utf-8' | 'latin1';
}

/** Bytes in, spans out; one text after another. Chunk borders never change the result. */
export interface Scanner {
  /**
   * `take` is given the spans as they are settled. `offset`: where in the part's text the first byte stands that will be pushed.
   * One may begin in the middle and end early: spans that start at least LEAD_IN bytes behind the first byte and LEAD_OUT before
   * the last are those of the whole text; their lines are counted from the first byte.
   */
  begin(context: TextContext, take: OnSpans, offset?: number): void;
  push(bytes: Uint8Array): void;
  end(): void;
  /** Line ends in what was pushed. Complete after `end`. */
  readonly newlines: number;
}
