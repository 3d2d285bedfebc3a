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
  readonly verdict: TraceOutcome;
  /** The candidate position, and the text that the prefilter matched. */
  readonly anchor: { readonly at: number; readonly text: string };
  /** A value that passed its own checks. */
  readonly value: TracedMatch | null;
  /** The checks that rejected. */
  readonly refusals: readonly string[];
  /** The detector that won the overlap. */
  readonly to: Detector | null;
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
  readonly supports: string | null;
  readonly denies: string | null;
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
  const place = new TracePosition(window, at);
  const real = traceMatches(detectors, window, thresholds);
  const asked = new Set(real.calls.filter((one) => place.concerns(one)).map((one) => one.detector));
  const traces = [...asked].map((index) => traceOf(detectors, index, thresholds, real, place));
  return [...traces, ...unlabelledTraces(detectors, asked, thresholds, place)].sort(
    (a, b) => OUTCOME_ORDER.indexOf(a.verdict) - OUTCOME_ORDER.indexOf(b.verdict),
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
  place: TracePosition,
): DetectorTrace {
  const detector = detectors[index]!;
  const asked = real.calls.filter((one) => one.detector === index && place.concerns(one));
  const passed = asked.find((one) => one.passed);
  const anchor = place.prefilterOf(detector, passed ?? asked.at(-1)!);
  const refusals = [...new Set(asked.filter((one) => !one.passed).map((one) => one.rejectReason || 'form'))];
  const value = passed ? matchOf(detector, thresholds.minConfidence[index]!, place) : null;
  if (value === null) return { detector, verdict: 'refused', anchor, value, refusals, to: null };
  const mine = real.kept.find((kept) => kept.detector === index && overlaps(kept, value));
  const winner = mine
    ? undefined
    : real.kept.find((kept) => kept.detector !== index && overlaps(kept, value));
  const verdict = mine?.reported ? 'found' : winner ? 'lost' : 'below threshold';
  return { detector, verdict, anchor, value, refusals: [], to: winner ? detectors[winner.detector]! : null };
}

/**
 * The match of this detector run alone and without a threshold, so that its confidence is known even if another detector wins the bytes.
 */
function matchOf(detector: Detector, threshold: number, place: TracePosition): TracedMatch | null {
  const { kept } = traceMatches([detector], place.window, ANY);
  const mine = kept.find((one) => one.start <= place.at && place.at < one.end);
  return mine ? place.match(detector, mine, threshold) : null;
}

const ANY: ScannerOptions = { minConfidence: 0, floor: -1, createPrefilter: scalarPrefilter };

/** Detectors that would match the value if a label preceded it. */
function unlabelledTraces(
  detectors: readonly Detector[],
  asked: ReadonlySet<number>,
  { minConfidence }: Thresholds,
  place: TracePosition,
): DetectorTrace[] {
  const { calls: all } = traceMatches(detectors.map(assumeLabelled), place.window, ANY);
  const traces = new Map<number, DetectorTrace>();
  for (const one of all) {
    const { detector: index, passed, start, end } = one;
    if (asked.has(index) || traces.has(index)) continue;
    if (!passed || place.at < start || place.at >= end || !place.beginsAt(one.at)) continue;
    const detector = detectors[index]!;
    const { confidence } = detector;
    const kept = { detector: index, start, end, confidence, base: confidence, reasons: 0, field: null };
    const value = place.match(detector, { ...kept, reported: false }, minConfidence[index]!);
    const anchor = place.prefilterOf(detector, one);
    traces.set(index, { detector, verdict: 'needs a label', anchor, value, refusals: [], to: null });
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

  beginsAt(anchor: number): boolean {
    return beginsAt(this.#bytes, anchor - this.#toText);
  }

  prefilterOf(detector: Detector, { at }: VerifierCall): DetectorTrace['anchor'] {
    return { at: at, text: prefilterText(detector, this.#text(at, at + PREFILTER_BYTES)) };
  }

  match(detector: Detector, kept: KeptSpan, threshold: number): TracedMatch {
    const { start, end, base, reasons, field } = kept;
    const context = new ContextScorer([detector]);
    context.setWindow(this.#bytes, () => field);
    const { supports, denies } = context.explainContext(0, start - this.#toText);
    return {
      start,
      end,
      text: this.#bytes.subarray(start - this.#toText, end - this.#toText),
      base: hundredths(base),
      confidence: hundredths(kept.confidence),
      threshold,
      reasons: reasonsOf(reasons),
      field,
      supports,
      denies,
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
