import { beginsAt } from './bytes.ts';
import { type Detector, type Match, STANDINGS } from './detector.ts';
import type { AnchorFinder } from './kernel/anchor-finder.ts';
import { type AnchorPlan, anchorPlan, type Tail, tailCell } from './kernel/anchor-plan.ts';
import { ASSIGNMENT } from './kernel/drain.ts';
import { NAMING, type Naming } from './kernel/naming.ts';
import { lastLetter, plainFinder } from './kernel/plain-finder.ts';
import { PROOF, REASON } from './reasons.ts';
import type { Loser, TextContext } from './spans.ts';
import { type FieldAt, Witness } from './witness.ts';

/** A verified match, with everything that is said about it; `start` and `end` are offsets of the text. */
export interface Span {
  readonly detector: number;
  /** Of its detector's standing: the smaller the stronger. */
  readonly rank: number;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  /** The verifier's own, before the context was weighed. */
  readonly base: number;
  readonly entropy: number;
  readonly reasons: number;
  readonly field: string | null;
  /** At or above the threshold of its detector. */
  readonly reported: boolean;
  /** Whose claim to the same bytes lost. */
  contested: Loser[] | null;
}

/** The written weights of context. A value that had to ask for it has its base confidence with context, and none without. */
export const SUPPORTED = 0.1;
export const DENIED = -0.35;
export const MOST = 0.99;
/** In texts of these kinds much only looks like a value: what is not sure by itself and has no witness weighs so much more or less. */
const BY_FORMAT: Readonly<Record<string, number>> = { code: -0.05 };
const SURE = 0.8;
const WITNESSES = REASON.contextWord | REASON.fieldName | REASON.otherMeaning | PROOF;

const FORMED = STANDINGS.indexOf('formed');

export interface Thresholds {
  /** By detector; what is below is not reported. */
  readonly report: Float64Array;
  /** What is below is not even counted. */
  readonly floor: number;
}

const NOBODY: readonly Tail[] = [];

/** Anchors → verifiers → context → threshold, over one stretch of a window. */
export class Matcher {
  readonly finder: AnchorFinder;
  // Columns, not detectors: objects of many shapes make every look at a property slow.
  readonly #verifiers: readonly Detector['verify'][];
  readonly #confidence: Float64Array;
  readonly #rank: Uint8Array;
  readonly #weighed: readonly boolean[];
  readonly #plan: AnchorPlan;
  readonly #lastPlace: Int32Array; // by detector, the last place it was asked about
  readonly #thresholds: Thresholds;
  readonly #witness: Witness;
  readonly #match: Match;
  #ofFormat = 0;
  #byFields = true; // values may be named by their fields
  #detector = 0;
  #asked = false;

  /** `finderOf`: the pass over the bytes, where there is a faster one than the plain one. */
  constructor(
    detectors: readonly Detector[],
    thresholds: Thresholds,
    finderOf: (plan: AnchorPlan) => AnchorFinder | null = plainFinder,
  ) {
    this.#plan = anchorPlan(detectors);
    this.#lastPlace = new Int32Array(detectors.length);
    this.#verifiers = detectors.map((detector) => detector.verify);
    this.#confidence = Float64Array.from(detectors, (detector) => detector.confidence);
    this.#rank = Uint8Array.from(detectors, ({ standing }) => STANDINGS.indexOf(standing));
    this.#weighed = detectors.map((detector) => detector.context !== undefined);
    this.finder = finderOf(this.#plan) ?? plainFinder(this.#plan);
    this.#thresholds = thresholds;
    this.#witness = new Witness(detectors);
    const labelled = (start: number) => this.#labelled(start);
    this.#match = { start: 0, end: 0, confidence: 0, reasons: 0, refusal: '', entropy: 0, labelled };
  }

  /**
   * The next text: from how far its values may be named. In tables of unknown columns everybody's may be; in others those of detectors that
   * a column speaks for.
   */
  turnTo({ format, naming = 'columns', columns }: TextContext): Naming {
    this.#ofFormat = (format !== undefined && BY_FORMAT[format]) || 0;
    const cared = naming === 'columns' ? this.#caredFor(columns) : [];
    this.finder.care(cared);
    const from = naming === 'columns' && cared.length === 0 ? NAMING.near : NAMING[naming];
    this.#byFields = from !== NAMING.near;
    return from;
  }

  #caredFor(columns: readonly string[] | undefined): readonly number[] {
    const { labelled } = this.#plan;
    return columns
      ? labelled.filter((one) => columns.some((name) => this.#witness.cares(name, one)))
      : labelled;
  }

  /** `origin`: the text's offset of the window's first byte. */
  run(
    bytes: Buffer,
    from: number,
    to: number,
    origin: number,
    naming: Naming,
    fieldAt: FieldAt,
    out: Span[],
  ): void {
    const { finder } = this;
    const { records, base } = finder;
    this.#witness.see(bytes, fieldAt);
    this.#lastPlace.fill(-1);
    for (let at = from; at < to; ) {
      const stopped = finder.find(bytes, at, to, naming);
      for (let n = 0; n < finder.count; n++) {
        const place = records[2 * n]! - base;
        if (place >= at && place < stopped) this.#ask(bytes, place, records[2 * n + 1]!, origin, out);
      }
      at = stopped;
    }
  }

  #ask(bytes: Buffer, at: number, id: number, origin: number, out: Span[]): void {
    if (id === ASSIGNMENT) {
      this.#verifyAssigned(bytes, at, origin, out);
      return;
    }
    const { free, named } = this.finder.whom(id, bytes, at);
    this.#verifyAll(bytes, at, free, origin, out);
    if (named.length > 0 && beginsAt(bytes, at) && this.#witness.anythingSaid(at, this.#byFields))
      this.#verifyNamed(bytes, at, named, origin, out);
  }

  #verifyAll(bytes: Buffer, at: number, detectors: readonly number[], origin: number, out: Span[]): void {
    for (let n = 0; n < detectors.length; n++) this.#verify(bytes, at, detectors[n]!, origin, out);
  }

  #verifyAssigned(bytes: Buffer, at: number, origin: number, out: Span[]): void {
    const last = lastLetter(bytes, at);
    const tails = this.#plan.tails.get(tailCell(bytes[last - 2]!, bytes[last - 1]!, bytes[last]!)) ?? NOBODY;
    for (let n = 0; n < tails.length; n++) {
      const { detector, text } = tails[n]!;
      if (endsWith(bytes, last, text)) this.#verify(bytes, at, detector, origin, out);
    }
  }

  #verifyNamed(bytes: Buffer, at: number, detectors: readonly number[], origin: number, out: Span[]): void {
    for (let n = 0; n < detectors.length; n++) {
      if (this.#witness.mayName(detectors[n]!, at)) this.#verify(bytes, at, detectors[n]!, origin, out);
    }
  }

  #verify(bytes: Buffer, at: number, index: number, origin: number, out: Span[]): void {
    // Several records may be of the same place.
    if (this.#lastPlace[index] === at) return;
    this.#lastPlace[index] = at;
    const match = this.#match;
    this.#detector = index;
    this.#asked = false;
    match.confidence = this.#confidence[index]!;
    match.reasons = 0;
    match.entropy = 0;
    match.refusal = '';
    if (!this.#verifiers[index]!(bytes, at, match)) return;
    const base = match.confidence;
    if (!this.#asked && this.#weighed[index]) this.#weigh();
    if (this.#ofFormat !== 0 && this.#isDoubtful(index)) match.confidence += this.#ofFormat;
    // In hundredths, as it is written down: 0.35 and 0.1 are 0.45, whatever a binary sum says.
    match.confidence = Math.round(match.confidence * 100) / 100;
    if (match.confidence >= this.#thresholds.floor) out.push(this.#span(base, origin));
  }

  #labelled(start: number): boolean {
    this.#asked = true;
    const reason = this.#witness.support(this.#detector, start);
    this.#match.reasons |= reason;
    return reason !== 0;
  }

  /** What stands by itself is strengthened or weakened by its surroundings. */
  #weigh(): void {
    const match = this.#match;
    const reason = this.#witness.support(this.#detector, match.start);
    if (this.#witness.denial(this.#detector, match.start) && reason !== REASON.fieldName) {
      match.confidence += DENIED;
      match.reasons |= REASON.otherMeaning;
    } else if (reason !== 0) {
      match.confidence = Math.min(MOST, match.confidence + SUPPORTED);
      match.reasons |= reason;
    }
  }

  #isDoubtful(detector: number): boolean {
    const { confidence, reasons } = this.#match;
    return this.#rank[detector]! >= FORMED && confidence < SURE && (reasons & WITNESSES) === 0;
  }

  #span(base: number, origin: number): Span {
    const { start, end, confidence, reasons, entropy } = this.#match;
    const detector = this.#detector;
    return {
      detector,
      rank: this.#rank[detector]!,
      start: start + origin,
      end: end + origin,
      confidence,
      base,
      entropy,
      reasons,
      field: this.#witness.field(start),
      reported: confidence >= this.#thresholds.report[detector]!,
      contested: null,
    };
  }
}

/** In any case; the last three letters are known to agree, but for what else falls on their cell. */
function endsWith(bytes: Buffer, last: number, tail: Buffer): boolean {
  for (let n = 0; n < tail.length; n++)
    if (inSmall(bytes[last - tail.length + 1 + n]!) !== tail[n]) return false;
  return true;
}

function inSmall(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte | 32 : byte;
}
