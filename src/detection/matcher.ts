import { beginsAt } from './bytes.ts';
import { ContextScorer, type FieldAt } from './context-scorer.ts';
import { type Detector, type Match, STRENGTHS } from './detector.ts';
import { ASSIGNMENT } from './kernel/emit-candidates.ts';
import { FIELD_SCOPE, type FieldScope } from './kernel/field-scope.ts';
import type { Prefilter } from './kernel/prefilter.ts';
import { type NameSuffix, type PrefilterPlan, prefilterPlan, suffixCell } from './kernel/prefilter-plan.ts';
import { lastLetter, scalarPrefilter } from './kernel/scalar-prefilter.ts';
import { PROOF, REASON } from './reasons.ts';
import type { OverlapLoser, TextContext } from './spans.ts';

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
  overlapped: OverlapLoser[] | null;
}

/** The written weights of context. A value that had to ask for it has its base confidence with context, and none without. */
export const CONTEXT_BOOST = 0.1;
export const CONTEXT_PENALTY = -0.35;
export const MAX_CONFIDENCE = 0.99;
/** In texts of these kinds much only looks like a value: what is not sure by itself and has no witness weighs so much more or less. */
const FORMAT_ADJUSTMENT: Readonly<Record<string, number>> = { code: -0.05 };
const SURE_CONFIDENCE = 0.8;
const CONTEXT_OR_PROOF = REASON.contextWord | REASON.fieldName | REASON.otherMeaning | PROOF;

const FORMAT_RANK = STRENGTHS.indexOf('formed');

export interface Thresholds {
  /** By detector; what is below is not reported. */
  readonly report: Float64Array;
  /** What is below is not even counted. */
  readonly floor: number;
}

const NO_SUFFIXES: readonly NameSuffix[] = [];

/** Anchors → verifiers → context → threshold, over one stretch of a window. */
export class Matcher {
  readonly prefilter: Prefilter;
  // Columns, not detectors: objects of many shapes make every look at a property slow.
  readonly #verifiers: readonly Detector['verify'][];
  readonly #confidence: Float64Array;
  readonly #rank: Uint8Array;
  readonly #hasContext: readonly boolean[];
  readonly #plan: PrefilterPlan;
  readonly #lastPosition: Int32Array; // by detector, the last place it was asked about
  readonly #thresholds: Thresholds;
  readonly #context: ContextScorer;
  readonly #match: Match;
  #formatAdjustment = 0;
  #byFields = true; // values may be named by their fields
  #detector = 0;
  #labelChecked = false;

  /** `createPrefilter`: the pass over the bytes, where there is a faster one than the plain one. */
  constructor(
    detectors: readonly Detector[],
    thresholds: Thresholds,
    createPrefilter: (plan: PrefilterPlan) => Prefilter | null = scalarPrefilter,
  ) {
    this.#plan = prefilterPlan(detectors);
    this.#lastPosition = new Int32Array(detectors.length);
    this.#verifiers = detectors.map((detector) => detector.verify);
    this.#confidence = Float64Array.from(detectors, (detector) => detector.confidence);
    this.#rank = Uint8Array.from(detectors, ({ standing }) => STRENGTHS.indexOf(standing));
    this.#hasContext = detectors.map((detector) => detector.context !== undefined);
    this.prefilter = createPrefilter(this.#plan) ?? scalarPrefilter(this.#plan);
    this.#thresholds = thresholds;
    this.#context = new ContextScorer(detectors);
    const hasLabel = (start: number) => this.#labelled(start);
    this.#match = { start: 0, end: 0, confidence: 0, reasons: 0, rejectReason: '', entropy: 0, hasLabel };
  }

  /**
   * The next text: from how far its values may be named. In tables of unknown columns everybody's may be; in others those of detectors that
   * a column speaks for.
   */
  beginText({ format, fieldScope = 'columns', columns }: TextContext): FieldScope {
    this.#formatAdjustment = (format !== undefined && FORMAT_ADJUSTMENT[format]) || 0;
    const cared = fieldScope === 'columns' ? this.#columnDetectors(columns) : [];
    this.prefilter.setColumnDetectors(cared);
    const from = fieldScope === 'columns' && cared.length === 0 ? FIELD_SCOPE.near : FIELD_SCOPE[fieldScope];
    this.#byFields = from !== FIELD_SCOPE.near;
    return from;
  }

  #columnDetectors(columns: readonly string[] | undefined): readonly number[] {
    const { labelled } = this.#plan;
    return columns
      ? labelled.filter((one) => columns.some((name) => this.#context.isPositiveField(name, one)))
      : labelled;
  }

  /** `origin`: the text's offset of the window's first byte. */
  run(
    bytes: Buffer,
    from: number,
    to: number,
    origin: number,
    fieldScope: FieldScope,
    fieldAt: FieldAt,
    out: Span[],
  ): void {
    const { prefilter } = this;
    const { candidates, base } = prefilter;
    this.#context.setWindow(bytes, fieldAt);
    this.#lastPosition.fill(-1);
    for (let at = from; at < to; ) {
      const stopped = prefilter.findCandidates(bytes, at, to, fieldScope);
      for (let n = 0; n < prefilter.count; n++) {
        const place = candidates[2 * n]! - base;
        if (place >= at && place < stopped)
          this.#verifyCandidate(bytes, place, candidates[2 * n + 1]!, origin, out);
      }
      at = stopped;
    }
  }

  #verifyCandidate(bytes: Buffer, at: number, id: number, origin: number, out: Span[]): void {
    if (id === ASSIGNMENT) {
      this.#verifyAssigned(bytes, at, origin, out);
      return;
    }
    const { unconditional, ifLabelled } = this.prefilter.detectorSetAt(id, bytes, at);
    this.#verifyAll(bytes, at, unconditional, origin, out);
    if (ifLabelled.length > 0 && beginsAt(bytes, at) && this.#context.mayHaveContext(at, this.#byFields))
      this.#verifyNamed(bytes, at, ifLabelled, origin, out);
  }

  #verifyAll(bytes: Buffer, at: number, detectors: readonly number[], origin: number, out: Span[]): void {
    for (let n = 0; n < detectors.length; n++) this.#verify(bytes, at, detectors[n]!, origin, out);
  }

  #verifyAssigned(bytes: Buffer, at: number, origin: number, out: Span[]): void {
    const last = lastLetter(bytes, at);
    const tails =
      this.#plan.suffixes.get(suffixCell(bytes[last - 2]!, bytes[last - 1]!, bytes[last]!)) ?? NO_SUFFIXES;
    for (let n = 0; n < tails.length; n++) {
      const { detector, text } = tails[n]!;
      if (endsWith(bytes, last, text)) this.#verify(bytes, at, detector, origin, out);
    }
  }

  #verifyNamed(bytes: Buffer, at: number, detectors: readonly number[], origin: number, out: Span[]): void {
    for (let n = 0; n < detectors.length; n++) {
      if (this.#context.mayBeLabelled(detectors[n]!, at)) this.#verify(bytes, at, detectors[n]!, origin, out);
    }
  }

  #verify(bytes: Buffer, at: number, index: number, origin: number, out: Span[]): void {
    // Several records may be of the same place.
    if (this.#lastPosition[index] === at) return;
    this.#lastPosition[index] = at;
    const match = this.#match;
    this.#detector = index;
    this.#labelChecked = false;
    match.confidence = this.#confidence[index]!;
    match.reasons = 0;
    match.entropy = 0;
    match.rejectReason = '';
    if (!this.#verifiers[index]!(bytes, at, match)) return;
    const base = match.confidence;
    if (!this.#labelChecked && this.#hasContext[index]) this.#adjustForContext();
    if (this.#formatAdjustment !== 0 && this.#isDoubtful(index)) match.confidence += this.#formatAdjustment;
    // In hundredths, as it is written down: 0.35 and 0.1 are 0.45, whatever a binary sum says.
    match.confidence = Math.round(match.confidence * 100) / 100;
    if (match.confidence >= this.#thresholds.floor) out.push(this.#span(base, origin));
  }

  #labelled(start: number): boolean {
    this.#labelChecked = true;
    const reason = this.#context.positiveContext(this.#detector, start);
    this.#match.reasons |= reason;
    return reason !== 0;
  }

  /** What stands by itself is strengthened or weakened by its surroundings. */
  #adjustForContext(): void {
    const match = this.#match;
    const reason = this.#context.positiveContext(this.#detector, match.start);
    if (this.#context.negativeContext(this.#detector, match.start) && reason !== REASON.fieldName) {
      match.confidence += CONTEXT_PENALTY;
      match.reasons |= REASON.otherMeaning;
    } else if (reason !== 0) {
      match.confidence = Math.min(MAX_CONFIDENCE, match.confidence + CONTEXT_BOOST);
      match.reasons |= reason;
    }
  }

  #isDoubtful(detector: number): boolean {
    const { confidence, reasons } = this.#match;
    return (
      this.#rank[detector]! >= FORMAT_RANK &&
      confidence < SURE_CONFIDENCE &&
      (reasons & CONTEXT_OR_PROOF) === 0
    );
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
      field: this.#context.field(start),
      reported: confidence >= this.#thresholds.report[detector]!,
      overlapped: null,
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
