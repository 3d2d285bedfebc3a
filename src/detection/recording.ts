/** The same scan as ever, with everything written down that verifiers were asked and said. */
import { BlankShifts } from './blank-shifts.ts';
import { type Detector, type Match, REACH_AHEAD, REACH_BACK } from './detector.ts';
import { plainBlanks } from './kernel/plain-finder.ts';
import { createScanner, type ScannerOptions } from './scanner.ts';
import type { SpanBatch, TextContext } from './spans.ts';
import { narrowBlanks } from './wide-blanks.ts';

/** A stretch of a text. It must fit into a scanner's window, which what is needed around one place does. */
export interface Stretch {
  readonly bytes: Buffer;
  /** Of its first byte, in the text. */
  readonly offset: number;
  readonly context: TextContext;
}

/** A verifier was asked. Places are those of the text. */
export interface Asked {
  readonly detector: number;
  readonly anchor: number;
  readonly passed: boolean;
  readonly start: number;
  readonly end: number;
  readonly refusal: string;
}

/** A span that was kept. */
export interface Kept {
  readonly detector: number;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly base: number;
  readonly reasons: number;
  readonly field: string | null;
  readonly reported: boolean;
}

export interface Recording {
  readonly asked: readonly Asked[];
  readonly kept: readonly Kept[];
}

export function record(detectors: readonly Detector[], stretch: Stretch, options: ScannerOptions): Recording {
  const asked: Asked[] = [];
  const kept: Kept[] = [];
  const toText = stretch.offset - REACH_BACK; // the window begins with so many zeros
  const shifts = shiftsOf(stretch);
  const listening = detectors.map((detector, index) => ({
    ...detector,
    verify(bytes: Buffer, at: number, match: Match): boolean {
      const passed = detector.verify(bytes, at, match);
      const { start, end, refusal } = match;
      asked.push({
        detector: index,
        anchor: shifts.originalOf(at + toText),
        passed,
        start: shifts.originalOf(start + toText),
        end: shifts.originalOf(end + toText),
        refusal,
      });
      return passed;
    },
  }));
  const scanner = createScanner(listening, options);
  scanner.begin(stretch.context, (spans) => kept.push(...keptOf(spans)), stretch.offset);
  scanner.push(stretch.bytes);
  scanner.end();
  return { asked, kept };
}

/** Verifiers see a text whose wide blanks are narrow already; whoever asks about a place knows the text as it is. */
function shiftsOf({ bytes, offset, context }: Stretch): BlankShifts {
  const window = Buffer.concat([Buffer.alloc(REACH_BACK), bytes, Buffer.alloc(REACH_AHEAD)]);
  const shifts = new BlankShifts();
  narrowBlanks(window, REACH_BACK, REACH_BACK + bytes.length, {
    last: true,
    latin: context.charset === 'latin1',
    finder: { blanks: plainBlanks },
    shifts,
    origin: offset - REACH_BACK,
  });
  return shifts;
}

/** As if every value stood behind its label: whoever has the right look says so. */
export function unlabelled(detector: Detector): Detector {
  return {
    ...detector,
    anchors: detector.anchors.map((anchor) => ('pattern' in anchor ? { pattern: anchor.pattern } : anchor)),
    verify(bytes, at, match) {
      const { labelled } = match;
      match.labelled = () => true;
      try {
        return detector.verify(bytes, at, match);
      } finally {
        match.labelled = labelled;
      }
    },
  };
}

function keptOf(spans: SpanBatch): Kept[] {
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
