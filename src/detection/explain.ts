/**
 * Why something is found at a place of a text, and why not: which detectors looked there, what refused, who lost the bytes to
 * whom, who fell below its threshold, and who was not asked because no label stands there.
 */

import { anchorText } from './anchor-text.ts';
import { beginsAt, textOf } from './bytes.ts';
import { type Detector, REACH_BACK } from './detector.ts';
import { plainFinder } from './kernel/plain-finder.ts';
import { reasonsOf } from './reasons.ts';
import { type Asked, type Kept, type Recording, record, type Stretch, unlabelled } from './recording.ts';
import type { ScannerOptions } from './scanner.ts';
import { Witness } from './witness.ts';

export type Verdict = 'found' | 'lost' | 'below threshold' | 'refused' | 'needs a label';

/** What one detector has to say about the place. Offsets are those of the text. */
export interface Opinion {
  readonly detector: Detector;
  readonly verdict: Verdict;
  /** Where the pass stopped for it, and at what. */
  readonly anchor: { readonly at: number; readonly text: string };
  /** Of a value that passed its own checks. */
  readonly value: Claim | null;
  /** The checks that said no. */
  readonly refusals: readonly string[];
  /** Whoever has the bytes instead. */
  readonly to: Detector | null;
}

export interface Claim {
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
  stretch: Stretch,
  at: number,
): Opinion[] {
  const place = new PlaceOf(stretch, at);
  const real = record(detectors, stretch, thresholds);
  const asked = new Set(real.asked.filter((one) => place.concerns(one)).map((one) => one.detector));
  const opinions = [...asked].map((index) => opinionOf(detectors, index, thresholds, real, place));
  return [...opinions, ...waiting(detectors, asked, thresholds, place)].sort(
    (a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict),
  );
}

const VERDICTS: readonly Verdict[] = ['found', 'lost', 'below threshold', 'refused', 'needs a label'];

function opinionOf(
  detectors: readonly Detector[],
  index: number,
  thresholds: Thresholds,
  real: Recording,
  place: PlaceOf,
): Opinion {
  const detector = detectors[index]!;
  const asked = real.asked.filter((one) => one.detector === index && place.concerns(one));
  const passed = asked.find((one) => one.passed);
  const anchor = place.anchorOf(detector, passed ?? asked.at(-1)!);
  const refusals = [...new Set(asked.filter((one) => !one.passed).map((one) => one.refusal || 'form'))];
  const value = passed ? claimOf(detector, thresholds.minConfidence[index]!, place) : null;
  if (value === null) return { detector, verdict: 'refused', anchor, value, refusals, to: null };
  const mine = real.kept.find((kept) => kept.detector === index && overlaps(kept, value));
  const winner = mine
    ? undefined
    : real.kept.find((kept) => kept.detector !== index && overlaps(kept, value));
  const verdict = mine?.reported ? 'found' : winner ? 'lost' : 'below threshold';
  return { detector, verdict, anchor, value, refusals: [], to: winner ? detectors[winner.detector]! : null };
}

/** Alone, without a threshold: what its own confidence would be, whoever else wants the bytes. */
function claimOf(detector: Detector, threshold: number, place: PlaceOf): Claim | null {
  const { kept } = record([detector], place.stretch, ANY);
  const mine = kept.find((one) => one.start <= place.at && place.at < one.end);
  return mine ? place.claim(detector, mine, threshold) : null;
}

const ANY: ScannerOptions = { minConfidence: 0, floor: -1, finderOf: plainFinder };

/** Those whose value it would be, if something named it so. */
function waiting(
  detectors: readonly Detector[],
  asked: ReadonlySet<number>,
  { minConfidence }: Thresholds,
  place: PlaceOf,
): Opinion[] {
  const { asked: all } = record(detectors.map(unlabelled), place.stretch, ANY);
  const opinions = new Map<number, Opinion>();
  for (const one of all) {
    const { detector: index, passed, start, end } = one;
    if (asked.has(index) || opinions.has(index)) continue;
    if (!passed || place.at < start || place.at >= end || !place.beginsAt(one.anchor)) continue;
    const detector = detectors[index]!;
    const { confidence } = detector;
    const kept = { detector: index, start, end, confidence, base: confidence, reasons: 0, field: null };
    const value = place.claim(detector, { ...kept, reported: false }, minConfidence[index]!);
    const anchor = place.anchorOf(detector, one);
    opinions.set(index, { detector, verdict: 'needs a label', anchor, value, refusals: [], to: null });
  }
  return [...opinions.values()];
}

function overlaps(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && b.start < a.end;
}

const BETWEEN = /[\s"'`,;<>|]/;
/** How far before a word its anchor may stand: a separator, the beginning of a value of several words. */
const NEAR = 24;
const ANCHOR_BYTES = 64;

/** The place that was asked about, and what stands around it. */
class PlaceOf {
  readonly stretch: Stretch;
  readonly at: number;
  readonly #bytes: Buffer; // with zeros around, as verifiers see it
  readonly #toText: number;
  readonly #from: number;
  readonly #to: number;

  constructor(stretch: Stretch, at: number) {
    this.stretch = stretch;
    this.at = at;
    const zeros = Buffer.alloc(REACH_BACK);
    this.#bytes = Buffer.concat([zeros, stretch.bytes, zeros]);
    this.#toText = stretch.offset - REACH_BACK;
    let [from, to] = [at, at];
    while (this.#isWord(from - 1)) from--;
    while (this.#isWord(to)) to++;
    this.#from = from;
    this.#to = to;
  }

  /** A value that covers the place, or a refusal at an anchor beside it. */
  concerns({ passed, anchor, start, end }: Asked): boolean {
    if (passed) return start <= this.at && this.at < end;
    if (anchor >= this.#from) return anchor <= this.#to;
    return anchor >= this.#from - NEAR && !this.#text(anchor, this.#from).includes('\n');
  }

  beginsAt(anchor: number): boolean {
    return beginsAt(this.#bytes, anchor - this.#toText);
  }

  anchorOf(detector: Detector, { anchor }: Asked): Opinion['anchor'] {
    return { at: anchor, text: anchorText(detector, this.#text(anchor, anchor + ANCHOR_BYTES)) };
  }

  claim(detector: Detector, kept: Kept, threshold: number): Claim {
    const { start, end, base, reasons, field } = kept;
    const witness = new Witness([detector]);
    witness.see(this.#bytes, () => field);
    const { supports, denies } = witness.testimony(0, start - this.#toText);
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
