import type { TableShape } from './tables/column-rules.ts';

/**
 * The result of detection: spans as columns of numbers, sorted by start, valid only during the call. Offsets `start`/`end` are those of
 * the part's text; `at` is the span's start in `window`, the bytes still available, and `length` is its length there: shorter than in the
 * text if that has wide blanks.
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
  readonly confidence: Float32Array; // may be below the detector's threshold: then it is only counted
  readonly reported: Uint8Array; // 1: at or above the threshold
  readonly base: Float32Array; // before context is applied
  readonly entropy: Float32Array; // bits per character; 0: not measured
  readonly reasons: Uint32Array; // bits of reasons.ts
  readonly field: readonly (string | null)[];
  /** Matches of the same bytes that lost. */
  readonly overlapped: readonly (readonly OverlapLoser[] | null)[];
  readonly window: Uint8Array;
}

/** A match that lost the bytes to a stronger one. */
export interface OverlapLoser {
  readonly detector: number;
  readonly confidence: number;
}

export type OnSpans = (spans: SpanBatch) => void;

/** What detection may query about the text. */
export interface TextContext {
  fieldAt(window: Uint8Array, at: number): string | null;
  /**
   * Where the label of a value may be: `near`: on its line; `lists`: in the lines and brackets around it; `columns`: in the head of a
   * table, whose names are `columns` if they are known. Default: anywhere.
   */
  readonly fieldScope?: 'near' | 'lists' | 'columns';
  readonly columns?: readonly string[];
  /** Of a table: how its cells are divided, and its first rows. */
  readonly table?: TableShape;
  /** The format of the text, which may adjust the confidence. */
  readonly format?: string;
  /** The encoding; UTF-8 by default. */
  readonly charset?: 'utf-8' | 'latin1';
}

/** Bytes in, spans out; one text after another. Chunk borders never change the result. */
export interface Scanner {
  /**
   * `take` gets the spans once they are final. `offset`: the text offset of the first byte that will be pushed. A scan may cover part of
   * a text: spans that start at least LEAD_IN bytes after its first byte and LEAD_OUT before its last are those of a scan of the whole
   * text; lines are counted from the first byte.
   */
  begin(context: TextContext, take: OnSpans, offset?: number): void;
  push(bytes: Uint8Array): void;
  end(): void;
  /** Line ends in the pushed bytes. Complete after `end`. */
  readonly newlines: number;
}
