/**
 * Why something is found at a place of a text, and why not: which detectors looked there, what refused, who lost the bytes to
 * whom, who fell below its threshold, and who was not asked because no label stands there.
 */

import { beginsAt, textOf } from './bytes.ts';
import { ContextScorer } from './context-scorer.ts';
import { type Detector, LOOKBEHIND_BYTES } from './detector.ts';
import { scalarPrefilter } from './kernel/scalar-prefilter.ts';
import {
  assumeLabelled,
  type KeptSpan,
  type MatchTrace,
  type TextWindow,
  traceMatches,
  type VerifierCall,
} from './match-trace.ts';
import { prefilterText } from './prefilter-text.ts';
import { reasonsOf } from './reasons.ts';
import type { ScannerOptions } from './scanner.ts';

export type TraceOutcome = 'found' | 'lost' | 'below threshold' | 'refused' | 'needs a label';

/** What one detector has to say about the place. Offsets are those of the text. */
export interface DetectorTrace {
  readonly detector: Detector;
  readonly verdict: TraceOutcome;
  /** Where the pass stopped for it, and at what. */
  readonly anchor: { readonly at: number; readonly text: string };
  /** Of a value that passed its own checks. */
  readonly value: TracedMatch | null;
  /** The checks that said no. */
  readonly refusals: readonly string[];
  /** Whoever has the bytes instead. */
  readonly to: Detector | null;
}

export interface TracedMatch {
  readonly start: number;
  readonly end: number;
  /** The value itself: whoever shows it masks it. */
  readonly text: Buffer;
  readonly base: number;
  readonly confidence: number;
  readonly threshold: number;
  readonly reasons: readonly string[];
  readonly field: string | null;
  /** The very words that speak for it and against it. */
  readonly supports: string | null;
  readonly denies: string | null;
}

export interface Thresholds {
  readonly minConfidence: Float64Array;
  readonly floor: number;
}

/** `at`: a place in the stretch, in the text's offsets. */
export function explainAt(
  detectors: readonly Detector[],
  thresholds: Thresholds,
  window: TextWindow,
  at: number,
): DetectorTrace[] {
  const place = new TracePosition(window, at);
  const real = traceMatches(detectors, window, thresholds);
  const asked = new Set(real.calls.filter((one) => place.concerns(one)).map((one) => one.detector));
  const opinions = [...asked].map((index) => traceOf(detectors, index, thresholds, real, place));
  return [...opinions, ...unlabelledTraces(detectors, asked, thresholds, place)].sort(
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

/** Alone, without a threshold: what its own confidence would be, whoever else wants the bytes. */
function matchOf(detector: Detector, threshold: number, place: TracePosition): TracedMatch | null {
  const { kept } = traceMatches([detector], place.window, ANY);
  const mine = kept.find((one) => one.start <= place.at && place.at < one.end);
  return mine ? place.match(detector, mine, threshold) : null;
}

const ANY: ScannerOptions = { minConfidence: 0, floor: -1, createPrefilter: scalarPrefilter };

/** Those whose value it would be, if something named it so. */
function unlabelledTraces(
  detectors: readonly Detector[],
  asked: ReadonlySet<number>,
  { minConfidence }: Thresholds,
  place: TracePosition,
): DetectorTrace[] {
  const { calls: all } = traceMatches(detectors.map(assumeLabelled), place.window, ANY);
  const opinions = new Map<number, DetectorTrace>();
  for (const one of all) {
    const { detector: index, passed, start, end } = one;
    if (asked.has(index) || opinions.has(index)) continue;
    if (!passed || place.at < start || place.at >= end || !place.beginsAt(one.at)) continue;
    const detector = detectors[index]!;
    const { confidence } = detector;
    const kept = { detector: index, start, end, confidence, base: confidence, reasons: 0, field: null };
    const value = place.match(detector, { ...kept, reported: false }, minConfidence[index]!);
    const anchor = place.prefilterOf(detector, one);
    opinions.set(index, { detector, verdict: 'needs a label', anchor, value, refusals: [], to: null });
  }
  return [...opinions.values()];
}

function overlaps(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && b.start < a.end;
}

const BETWEEN = /[\s"'`,;<>|]/;
/** How far before a word its anchor may stand: a separator, the beginning of a value of several words. */
const MAX_PREFILTER_GAP = 24;
const PREFILTER_BYTES = 64;

/** The place that was asked about, and what stands around it. */
class TracePosition {
  readonly window: TextWindow;
  readonly at: number;
  readonly #bytes: Buffer; // with zeros around, as verifiers see it
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

  /** A value that covers the place, or a refusal at an anchor beside it. */
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
