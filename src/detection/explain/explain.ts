/**
 * Explains the result at an offset of a text: which detectors ran there, which check rejected, which match lost an overlap, which was
 * below its threshold, and which detectors were not run for lack of a label.
 */

import { beginsAt, textOf } from '../bytes.ts';
import { ContextScorer } from '../context/context-scorer.ts';
import { type Detector, LOOKBEHIND_BYTES } from '../detector.ts';
import { scalarPrefilter } from '../kernel/scalar-prefilter.ts';
import { reasonsOf } from '../reasons.ts';
import type { ScannerOptions } from '../scanner.ts';
import {
  assumeLabelled,
  type KeptSpan,
  type MatchTrace,
  type TextWindow,
  traceMatches,
  type VerifierCall,
} from './match-trace.ts';
import { prefilterText } from './prefilter-text.ts';

export type TraceOutcome = 'found' | 'lost' | 'below threshold' | 'refused' | 'needs a label';

/** What one detector did at the offset. Offsets are those of the text. */
export interface DetectorTrace {
  readonly detector: Detector;
  readonly outcome: TraceOutcome;
  /** The candidate position, and the text that the prefilter matched. */
  readonly candidate: { readonly at: number; readonly text: string };
  /** A value that passed its own checks. */
  readonly value: TracedMatch | null;
  /** The checks that rejected. */
  readonly rejections: readonly string[];
  /** The detector that won the overlap. */
  readonly winner: Detector | null;
}

export interface TracedMatch {
  readonly start: number;
  readonly end: number;
  /** The value in clear: callers must mask it before output. */
  readonly text: Buffer;
  readonly base: number;
  readonly confidence: number;
  readonly threshold: number;
  readonly reasons: readonly string[];
  readonly field: string | null;
  /** The context words that matched, positive and negative. */
  readonly positive: string | null;
  readonly negative: string | null;
}

export interface Thresholds {
  readonly minConfidence: Float64Array;
  readonly floor: number;
}

/** `at`: an offset of the text, inside the window. */
export function explainAt(
  detectors: readonly Detector[],
  thresholds: Thresholds,
  window: TextWindow,
  at: number,
): DetectorTrace[] {
  const position = new TracePosition(window, at);
  const real = traceMatches(detectors, window, thresholds);
  const called = new Set(real.calls.filter((one) => position.concerns(one)).map((one) => one.detector));
  const traces = [...called].map((index) => traceOf(detectors, index, thresholds, real, position));
  return [...traces, ...unlabelledTraces(detectors, called, thresholds, position)].sort(
    (a, b) => OUTCOME_ORDER.indexOf(a.outcome) - OUTCOME_ORDER.indexOf(b.outcome),
  );
}

const OUTCOME_ORDER: readonly TraceOutcome[] = [
  'found',
  'lost',
  'below threshold',
  'refused',
  'needs a label',
];

function traceOf(
  detectors: readonly Detector[],
  index: number,
  thresholds: Thresholds,
  real: MatchTrace,
  position: TracePosition,
): DetectorTrace {
  const detector = detectors[index]!;
  const called = real.calls.filter((one) => one.detector === index && position.concerns(one));
  const passed = called.find((one) => one.passed);
  const candidate = position.prefilterOf(detector, passed ?? called.at(-1)!);
  const rejections = [
    ...new Set(called.filter((one) => !one.passed).map((one) => one.rejectReason || 'form')),
  ];
  const value = passed ? matchOf(detector, thresholds.minConfidence[index]!, position) : null;
  if (value === null) return { detector, outcome: 'refused', candidate, value, rejections, winner: null };
  const mine = real.kept.find((kept) => kept.detector === index && overlaps(kept, value));
  const stronger = mine
    ? undefined
    : real.kept.find((kept) => kept.detector !== index && overlaps(kept, value));
  const outcome = mine?.reported ? 'found' : stronger ? 'lost' : 'below threshold';
  const winner = stronger ? detectors[stronger.detector]! : null;
  return { detector, outcome, candidate, value, rejections: [], winner };
}

/**
 * The match of this detector run alone and without a threshold, so that its confidence is known even if another detector wins the bytes.
 */
function matchOf(detector: Detector, threshold: number, position: TracePosition): TracedMatch | null {
  const { kept } = traceMatches([detector], position.window, ANY);
  const mine = kept.find((one) => one.start <= position.at && position.at < one.end);
  return mine ? position.match(detector, mine, threshold) : null;
}

const ANY: ScannerOptions = { minConfidence: 0, floor: -1, createPrefilter: scalarPrefilter };

/** Detectors that would match the value if a label preceded it. */
function unlabelledTraces(
  detectors: readonly Detector[],
  called: ReadonlySet<number>,
  { minConfidence }: Thresholds,
  position: TracePosition,
): DetectorTrace[] {
  const { calls: all } = traceMatches(detectors.map(assumeLabelled), position.window, ANY);
  const traces = new Map<number, DetectorTrace>();
  for (const one of all) {
    const { detector: index, passed, start, end } = one;
    if (called.has(index) || traces.has(index)) continue;
    if (!passed || position.at < start || position.at >= end || !position.beginsAt(one.at)) continue;
    const detector = detectors[index]!;
    const { confidence } = detector;
    const kept = { detector: index, start, end, confidence, base: confidence, reasons: 0, field: null };
    const value = position.match(detector, { ...kept, reported: false }, minConfidence[index]!);
    const candidate = position.prefilterOf(detector, one);
    traces.set(index, { detector, outcome: 'needs a label', candidate, value, rejections: [], winner: null });
  }
  return [...traces.values()];
}

function overlaps(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && b.start < a.end;
}

const BETWEEN = /[\s"'`,;<>|]/;
/** Maximum distance from a candidate position to a value it may belong to: over a separator, or words at the start of the value. */
const MAX_PREFILTER_GAP = 24;
const PREFILTER_BYTES = 64;

/** The requested offset and the bytes around it. */
class TracePosition {
  readonly window: TextWindow;
  readonly at: number;
  readonly #bytes: Buffer; // padded with zeros, as verifiers see it
  readonly #toText: number;
  readonly #from: number;
  readonly #to: number;

  constructor(window: TextWindow, at: number) {
    this.window = window;
    this.at = at;
    const zeros = Buffer.alloc(LOOKBEHIND_BYTES);
    this.#bytes = Buffer.concat([zeros, window.bytes, zeros]);
    this.#toText = window.offset - LOOKBEHIND_BYTES;
    let [from, to] = [at, at];
    while (this.#isWord(from - 1)) from--;
    while (this.#isWord(to)) to++;
    this.#from = from;
    this.#to = to;
  }

  /** Whether the call matched a value that covers the offset, or rejected at a candidate next to it. */
  concerns({ passed, at, start, end }: VerifierCall): boolean {
    if (passed) return start <= this.at && this.at < end;
    if (at >= this.#from) return at <= this.#to;
    return at >= this.#from - MAX_PREFILTER_GAP && !this.#text(at, this.#from).includes('\n');
  }

  beginsAt(at: number): boolean {
    return beginsAt(this.#bytes, at - this.#toText);
  }

  prefilterOf(detector: Detector, { at }: VerifierCall): DetectorTrace['candidate'] {
    return { at, text: prefilterText(detector, this.#text(at, at + PREFILTER_BYTES)) };
  }

  match(detector: Detector, kept: KeptSpan, threshold: number): TracedMatch {
    const { start, end, base, reasons, field } = kept;
    const context = new ContextScorer([detector]);
    context.setWindow(this.#bytes, () => field);
    const { positive, negative } = context.explainContext(0, start - this.#toText);
    return {
      start,
      end,
      text: this.#bytes.subarray(start - this.#toText, end - this.#toText),
      base: hundredths(base),
      confidence: hundredths(kept.confidence),
      threshold,
      reasons: reasonsOf(reasons),
      field,
      positive,
      negative,
    };
  }

  #isWord(at: number): boolean {
    const byte = this.#bytes[at - this.#toText] ?? 0;
    return byte !== 0 && !BETWEEN.test(String.fromCharCode(byte));
  }

  #text(from: number, to: number): string {
    return textOf(this.#bytes, from - this.#toText, to - this.#toText);
  }
}

function hundredths(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
