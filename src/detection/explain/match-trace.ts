/** Runs an ordinary scan and records every verifier call with its result. */
import { BlankShifts } from '../blank-shifts.ts';
import { type Detector, LOOKAHEAD_BYTES, LOOKBEHIND_BYTES, type Match } from '../detector.ts';
import { scalarBlanks } from '../kernel/scalar-prefilter.ts';
import { createScanner, type ScannerOptions } from '../scanner.ts';
import type { SpanBatch, TextContext } from '../spans.ts';
import { narrowBlanks } from '../wide-blanks.ts';

/** Part of a text. Must fit into a scanner's window, which is enough for everything that affects one offset. */
export interface TextWindow {
  readonly bytes: Buffer;
  /** The text offset of its first byte. */
  readonly offset: number;
  readonly context: TextContext;
}

/** A verifier call. Positions are text offsets. */
export interface VerifierCall {
  readonly detector: number;
  readonly at: number;
  readonly passed: boolean;
  readonly start: number;
  readonly end: number;
  readonly rejectReason: string;
}

/** A span that was kept. */
export interface KeptSpan {
  readonly detector: number;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly base: number;
  readonly reasons: number;
  readonly field: string | null;
  readonly reported: boolean;
}

export interface MatchTrace {
  readonly calls: readonly VerifierCall[];
  readonly kept: readonly KeptSpan[];
}

export function traceMatches(
  detectors: readonly Detector[],
  window: TextWindow,
  options: ScannerOptions,
): MatchTrace {
  const calls: VerifierCall[] = [];
  const kept: KeptSpan[] = [];
  const toText = window.offset - LOOKBEHIND_BYTES; // the window begins with this many zeros
  const shifts = shiftsOf(window);
  const traced = detectors.map((detector, index) => ({
    ...detector,
    verify(bytes: Buffer, at: number, match: Match): boolean {
      const passed = detector.verify(bytes, at, match);
      const { start, end, rejectReason } = match;
      calls.push({
        detector: index,
        at: shifts.originalOf(at + toText),
        passed,
        start: shifts.originalOf(start + toText),
        end: shifts.originalOf(end + toText),
        rejectReason,
      });
      return passed;
    },
  }));
  const scanner = createScanner(traced, options);
  scanner.begin(window.context, (spans) => kept.push(...keptSpans(spans)), window.offset);
  scanner.push(window.bytes);
  scanner.end();
  return { calls, kept };
}

/** Verifiers see the text with narrowed blanks, but callers pass offsets of the original text. */
function shiftsOf({ bytes, offset, context }: TextWindow): BlankShifts {
  const window = Buffer.concat([Buffer.alloc(LOOKBEHIND_BYTES), bytes, Buffer.alloc(LOOKAHEAD_BYTES)]);
  const shifts = new BlankShifts();
  narrowBlanks(window, LOOKBEHIND_BYTES, LOOKBEHIND_BYTES + bytes.length, {
    last: true,
    latin: context.charset === 'latin1',
    prefilter: { blanks: scalarBlanks },
    shifts,
    origin: offset - LOOKBEHIND_BYTES,
  });
  return shifts;
}

/** Treats every value as labelled, so that all detectors whose form matches are returned. */
export function assumeLabelled(detector: Detector): Detector {
  return {
    ...detector,
    prefilters: detector.prefilters.map((prefilter) =>
      'pattern' in prefilter ? { pattern: prefilter.pattern } : prefilter,
    ),
    verify(bytes, at, match) {
      const { hasLabel } = match;
      match.hasLabel = () => true;
      try {
        return detector.verify(bytes, at, match);
      } finally {
        match.hasLabel = hasLabel;
      }
    },
  };
}

function keptSpans(spans: SpanBatch): KeptSpan[] {
  return Array.from({ length: spans.count }, (_, n) => ({
    detector: spans.detector[n]!,
    start: spans.start[n]!,
    end: spans.end[n]!,
    confidence: spans.confidence[n]!,
    base: spans.base[n]!,
    reasons: spans.reasons[n]!,
    field: spans.field[n] ?? null,
    reported: spans.reported[n] === 1,
  }));
}
