import { anchorTables, type DetectorSet, LABEL } from './anchor-tables.ts';
import { AnchorBatch, type AnchorFinder, anchorFinder } from './anchors.ts';
import { NEWLINE } from './bytes.ts';
import type { Detector, Match } from './detector.ts';
import { REASON } from './reasons.ts';
import { type FieldAt, Witness } from './witness.ts';

/** A verified match, with everything that is said about it; `start` and `end` are offsets of the text. */
export interface Span {
  readonly detector: number;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  readonly confidence: number;
  readonly reasons: number;
  readonly field: string | null;
}

/** The written weights of context. A value that had to ask for it has its base confidence with context, and none without. */
const SUPPORTED = 0.1;
const DENIED = -0.35;
const MOST = 0.99;

/** Anchors → verifiers → context → threshold, over one stretch of a window. */
export class Matcher {
  readonly anchors = new AnchorBatch();
  readonly #detectors: readonly Detector[];
  readonly #sets: readonly DetectorSet[];
  readonly #finder: AnchorFinder;
  readonly #minConfidence: number;
  readonly #witness: Witness;
  readonly #match: Match;
  #detector = 0;
  #asked = false;

  constructor(detectors: readonly Detector[], minConfidence: number) {
    const tables = anchorTables(detectors);
    this.#detectors = detectors;
    this.#sets = tables.sets;
    this.#finder = anchorFinder(tables);
    this.#minConfidence = minConfidence;
    this.#witness = new Witness(detectors);
    const labelled = (start: number) => this.#labelled(start);
    this.#match = { start: 0, end: 0, confidence: 0, reasons: 0, labelled };
  }

  begin(lineStart: number): void {
    this.anchors.currentLine = 1;
    this.anchors.currentLineStart = lineStart;
    this.#witness.begin();
  }

  /** `origin`: the text's offset of the window's first byte. */
  run(bytes: Buffer, from: number, to: number, origin: number, fieldAt: FieldAt, out: Span[]): void {
    const anchors = this.anchors;
    this.#witness.see(bytes, origin, fieldAt);
    for (let at = from; at < to; ) {
      at = this.#finder.find(bytes, at, to, anchors);
      for (let n = 0; n < anchors.count; n++) {
        const set = anchors.set[n]!;
        if (set === LABEL) this.#witness.label(anchors.at[n]!);
        else this.#verifyAll(bytes, n, set, origin, out);
      }
    }
  }

  #verifyAll(bytes: Buffer, n: number, set: number, origin: number, out: Span[]): void {
    const { always, labelled } = this.#sets[set]!;
    for (let m = 0; m < always.length; m++) this.#verify(bytes, n, always[m]!, origin, out);
    if (labelled.length === 0 || !this.#witness.near(this.anchors.at[n]!)) return;
    for (let m = 0; m < labelled.length; m++) this.#verify(bytes, n, labelled[m]!, origin, out);
  }

  #verify(bytes: Buffer, n: number, index: number, origin: number, out: Span[]): void {
    const match = this.#match;
    const detector = this.#detectors[index]!;
    this.#detector = index;
    this.#asked = false;
    match.confidence = detector.confidence;
    match.reasons = 0;
    if (!detector.verify(bytes, this.anchors.at[n]!, match)) return;
    if (!this.#asked && detector.context !== undefined) this.#weigh();
    if (match.confidence >= this.#minConfidence) out.push(this.#span(bytes, n, origin));
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

  #span(bytes: Buffer, n: number, origin: number): Span {
    const { start, end, confidence, reasons } = this.#match;
    let line = this.anchors.line[n]!;
    let lineStart = this.anchors.lineStart[n]!;
    // A value may begin on a later line than its anchor, never on an earlier one.
    for (let i = this.anchors.at[n]!; i < start; i++) {
      if (bytes[i] !== NEWLINE) continue;
      line++;
      lineStart = i + 1;
    }
    const column = start - lineStart + 1;
    const field = this.#witness.field(start);
    return {
      detector: this.#detector,
      start: start + origin,
      end: end + origin,
      line,
      column,
      confidence,
      reasons,
      field,
    };
  }
}
