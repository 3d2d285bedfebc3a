import { beginsAt } from './bytes.ts';
import { ContextScorer, type FieldAt } from './context/context-scorer.ts';
import { CLASS_BLOCK, classOf, isAuthorship, TEXT_CLASS } from './context/text-class.ts';
import { type Detector, type Match, STRENGTHS } from './detector.ts';
import { ASSIGNMENT } from './kernel/emit-candidates.ts';
import { FIELD_SCOPE, type FieldScope, type Prefilter } from './kernel/prefilter.ts';
import { type NameSuffix, type PrefilterPlan, prefilterPlan, suffixCell } from './kernel/prefilter-plan.ts';
import { lastLetter, scalarPrefilter } from './kernel/scalar-prefilter.ts';
import { PROOF, REASON } from './reasons.ts';
import type { OverlapLoser, TextContext } from './spans.ts';

/** A verified match with its score; `start` and `end` are offsets of the text. */
export interface Span {
  readonly detector: number;
  /** The detector's index in the catalogue: a lower one wins overlaps. */
  readonly rank: number;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  /** The verifier's confidence, before context is applied. */
  readonly base: number;
  readonly entropy: number;
  readonly reasons: number;
  readonly field: string | null;
  /** At or above the threshold of its detector. */
  readonly reported: boolean;
  /** The matches of the same bytes that lost to it. */
  overlapped: OverlapLoser[] | null;
  /** The value of a cell of a table, found by the rule of its column: wins over matches of the same bytes. */
  readonly wholeCell?: true;
}

/** The documented weights of context. A value that requires a label has its base confidence with it, and is rejected without. */
export const CONTEXT_BOOST = 0.1;
export const CONTEXT_PENALTY = -0.35;
export const MAX_CONFIDENCE = 0.99;
/** In these formats many strings only resemble values: applies to heuristic matches without context or proof. */
const FORMAT_ADJUSTMENT: Readonly<Record<string, number>> = { code: -0.05 };
const SURE_CONFIDENCE = 0.8;
const CONTEXT_OR_PROOF = REASON.contextWord | REASON.fieldName | REASON.otherMeaning | PROOF;

const FORMAT_RANK = STRENGTHS.indexOf('format');

export interface Thresholds {
  /** By detector; matches below it are not reported. */
  readonly report: Float64Array;
  /** Matches below it are not even counted. */
  readonly floor: number;
}

const NO_SUFFIXES: readonly NameSuffix[] = [];

/** Prefilter → verifiers → context → threshold, over one part of a window. */
export class Matcher {
  readonly prefilter: Prefilter;
  // Parallel arrays instead of an array of detectors: property access on objects of many shapes is megamorphic and slow.
  readonly #verifiers: readonly Detector['verify'][];
  readonly #confidence: Float64Array;
  readonly #rank: Uint8Array;
  readonly #hasContext: readonly boolean[];
  readonly #excluded: Uint8Array; // by detector, the text classes in which it does not apply
  readonly #namesAuthors: readonly boolean[];
  #classBlock = -1; // offset in the text
  #classes = 0; // of the block
  #classesAsked = 0; // the excluded classes for which they were determined
  readonly #plan: PrefilterPlan;
  readonly #lastPosition: Int32Array; // by detector, the last position it was run at
  readonly #thresholds: Thresholds;
  readonly #context: ContextScorer;
  readonly #match: Match;
  #formatAdjustment = 0;
  #byFields = true; // values may be labelled by their fields
  #detector = 0;
  #labelChecked = false;

  /** `createPrefilter`: a faster prefilter than the scalar one, or null if it is not available. */
  constructor(
    detectors: readonly Detector[],
    thresholds: Thresholds,
    createPrefilter: (plan: PrefilterPlan) => Prefilter | null = scalarPrefilter,
  ) {
    this.#plan = prefilterPlan(detectors);
    this.#lastPosition = new Int32Array(detectors.length);
    this.#verifiers = detectors.map((detector) => detector.verify);
    this.#confidence = Float64Array.from(detectors, (detector) => detector.confidence);
    this.#rank = Uint8Array.from(detectors, ({ strength }) => STRENGTHS.indexOf(strength));
    this.#hasContext = detectors.map((detector) => detector.context !== undefined);
    this.#excluded = Uint8Array.from(detectors, ({ notIn = [] }) =>
      notIn.reduce((bits, one) => bits | TEXT_CLASS[one], 0),
    );
    this.#namesAuthors = detectors.map(({ namesAuthors }) => namesAuthors === true);
    this.prefilter = createPrefilter(this.#plan) ?? scalarPrefilter(this.#plan);
    this.#thresholds = thresholds;
    this.#context = new ContextScorer(detectors);
    const hasLabel = (start: number) => this.#hasLabel(start);
    this.#match = { start: 0, end: 0, confidence: 0, reasons: 0, rejectReason: '', entropy: 0, hasLabel };
  }

  /**
   * Starts the next text and sets where labels may be. In tables whose columns are unknown, every detector counts as labelled; otherwise
   * those that a column is a label of.
   */
  beginText({ format, fieldScope = 'columns', columns }: TextContext): FieldScope {
    this.#classBlock = -1;
    this.#formatAdjustment = (format !== undefined && FORMAT_ADJUSTMENT[format]) || 0;
    const columnDetectors = fieldScope === 'columns' ? this.#columnDetectors(columns) : [];
    this.prefilter.setColumnDetectors(columnDetectors);
    const from =
      fieldScope === 'columns' && columnDetectors.length === 0 ? FIELD_SCOPE.near : FIELD_SCOPE[fieldScope];
    this.#byFields = from !== FIELD_SCOPE.near;
    return from;
  }

  #columnDetectors(columns: readonly string[] | undefined): readonly number[] {
    const { labelled } = this.#plan;
    return columns
      ? labelled.filter((one) => columns.some((name) => this.#context.isPositiveField(name, one)))
      : labelled;
  }

  /** `origin`: the text offset of the window's first byte. */
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
        const position = candidates[2 * n]! - base;
        if (position >= at && position < stopped)
          this.#verifyCandidate(bytes, position, candidates[2 * n + 1]!, origin, out);
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
      this.#verifyIfLabelled(bytes, at, ifLabelled, origin, out);
  }

  #verifyAll(bytes: Buffer, at: number, detectors: readonly number[], origin: number, out: Span[]): void {
    for (let n = 0; n < detectors.length; n++) this.#verify(bytes, at, detectors[n]!, origin, out);
  }

  #verifyAssigned(bytes: Buffer, at: number, origin: number, out: Span[]): void {
    const last = lastLetter(bytes, at);
    const suffixes =
      this.#plan.suffixes.get(suffixCell(bytes[last - 2]!, bytes[last - 1]!, bytes[last]!)) ?? NO_SUFFIXES;
    for (let n = 0; n < suffixes.length; n++) {
      const { detector, text } = suffixes[n]!;
      if (endsWith(bytes, last, text)) this.#verify(bytes, at, detector, origin, out);
    }
  }

  #verifyIfLabelled(
    bytes: Buffer,
    at: number,
    detectors: readonly number[],
    origin: number,
    out: Span[],
  ): void {
    for (let n = 0; n < detectors.length; n++) {
      if (this.#context.mayBeLabelled(detectors[n]!, at)) this.#verify(bytes, at, detectors[n]!, origin, out);
    }
  }

  #verify(bytes: Buffer, at: number, index: number, origin: number, out: Span[]): void {
    // Several candidates may have the same position.
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
    if (this.#namesAuthors[index] || this.#excluded[index] !== 0) this.#adjustForClass(bytes, index, origin);
    // Rounded to hundredths as documented: 0.35 + 0.1 must be 0.45 despite binary floating point.
    match.confidence = Math.round(match.confidence * 100) / 100;
    if (match.confidence >= this.#thresholds.floor) out.push(this.#span(base, origin));
  }

  #hasLabel(start: number): boolean {
    this.#labelChecked = true;
    const reason = this.#context.positiveContext(this.#detector, start);
    this.#match.reasons |= reason;
    return reason !== 0;
  }

  /** Applies context to a match whose detector does not require a label. */
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

  /** Applies the kind of the text around the match. */
  #adjustForClass(bytes: Buffer, index: number, origin: number): void {
    const match = this.#match;
    const block = match.start - ((match.start + origin) % CLASS_BLOCK);
    const excluded = this.#excluded[index]!;
    if (block + origin !== this.#classBlock || excluded !== this.#classesAsked) {
      this.#classBlock = block + origin;
      this.#classesAsked = excluded;
      this.#classes = classOf(bytes, block, excluded === 0 ? TEXT_CLASS.notice : excluded);
    }
    if (this.#namesAuthors[index] && isAuthorship(bytes, match.start, this.#classes))
      match.reasons |= REASON.authorship;
    if ((this.#classes & this.#excluded[index]!) === 0 || (match.reasons & REASON.fieldName) !== 0) return;
    match.confidence += CONTEXT_PENALTY;
    match.reasons |= REASON.otherMeaning;
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

/** In any case. Needed because other suffixes may collide on the same index of three letters. */
function endsWith(bytes: Buffer, last: number, suffix: Buffer): boolean {
  for (let n = 0; n < suffix.length; n++)
    if (toLowerCase(bytes[last - suffix.length + 1 + n]!) !== suffix[n]) return false;
  return true;
}

function toLowerCase(byte: number): number {
  return byte >= 65 && byte <= 90 ? byte | 32 : byte;
}
