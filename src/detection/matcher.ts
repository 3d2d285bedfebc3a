import { type AnchorTables, anchorTables, type DetectorSet, LABEL } from './anchor-tables.ts';
import { AnchorBatch, type AnchorFinder, anchorFinder } from './anchors.ts';
import type { Detector, Match } from './detector.ts';
import { countLines, type Line, setLine } from './lines.ts';
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
/** More than so many who need a label are asked only after it was looked for. */
const FEW = 2;

/** Anchors → verifiers → context → threshold, over one stretch of a window. */
export class Matcher {
  readonly anchors = new AnchorBatch();
  // Columns, not detectors: objects of many shapes make every look at a property slow.
  readonly #verifiers: readonly Detector['verify'][];
  readonly #confidence: Float64Array;
  readonly #weighed: readonly boolean[];
  readonly #sets: readonly DetectorSet[];
  readonly #finder: AnchorFinder;
  readonly #minConfidence: number;
  readonly #witness: Witness;
  readonly #match: Match;
  #countedTo = 0; // in the window: `#line` is the line there
  readonly #line: Line = { number: 1, start: 0 };
  readonly #valueLine: Line = { number: 1, start: 0 };
  #detector = 0;
  #asked = false;
  #gate = -1; // the anchor, where only a value that something may name is wanted
  #nameless = false; // nothing names it: whoever else is waiting need not ask again

  /** `finderOf`: the pass over the bytes, where there is a faster one than the plain one. */
  constructor(
    detectors: readonly Detector[],
    minConfidence: number,
    finderOf: (tables: AnchorTables) => AnchorFinder | null = anchorFinder,
  ) {
    const tables = anchorTables(detectors);
    this.#verifiers = detectors.map((detector) => detector.verify);
    this.#confidence = Float64Array.from(detectors, (detector) => detector.confidence);
    this.#weighed = detectors.map((detector) => detector.context !== undefined);
    this.#sets = tables.sets;
    this.#finder = finderOf(tables) ?? anchorFinder(tables);
    this.#minConfidence = minConfidence;
    this.#witness = new Witness(detectors);
    const labelled = (start: number) => this.#labelled(start);
    this.#match = { start: 0, end: 0, confidence: 0, reasons: 0, labelled };
  }

  begin(lineStart: number): void {
    this.anchors.now.number = 1;
    this.anchors.now.start = lineStart;
    this.#witness.begin();
  }

  /** `origin`: the text's offset of the window's first byte. */
  run(bytes: Buffer, from: number, to: number, origin: number, fieldAt: FieldAt, out: Span[]): void {
    const anchors = this.anchors;
    this.#witness.see(bytes, origin, fieldAt);
    for (let at = from; at < to; ) {
      this.#countedTo = at;
      at = this.#finder.find(bytes, at, to, anchors);
      setLine(this.#line, anchors.began);
      for (let n = 0; n < anchors.count; n++) {
        const set = anchors.set[n]!;
        if (set === LABEL) this.#witness.label(anchors.at[n]!);
        else this.#verifyAll(bytes, n, set, origin, out);
      }
    }
  }

  #verifyAll(bytes: Buffer, n: number, set: number, origin: number, out: Span[]): void {
    const { always, labelled } = this.#sets[set]!;
    const at = this.anchors.at[n]!;
    for (let m = 0; m < always.length; m++) this.#verify(bytes, n, always[m]!, origin, out);
    if (labelled.length === 0) return;
    // A look at the shape is cheaper than the name of a field, but many looks are not, and bare digits pass them all.
    if (labelled.length > FEW && !this.#witness.near(at)) return;
    this.#gate = at;
    this.#nameless = false;
    for (let m = 0; m < labelled.length && !this.#nameless; m++)
      this.#verify(bytes, n, labelled[m]!, origin, out);
    this.#gate = -1;
  }

  #verify(bytes: Buffer, n: number, index: number, origin: number, out: Span[]): void {
    const match = this.#match;
    this.#detector = index;
    this.#asked = false;
    match.confidence = this.#confidence[index]!;
    match.reasons = 0;
    const verify = this.#verifiers[index]!;
    if (!verify(bytes, this.anchors.at[n]!, match)) return;
    if (!this.#asked && !this.#mayBeNamed()) return;
    if (!this.#asked && this.#weighed[index]) this.#weigh();
    if (match.confidence >= this.#minConfidence) out.push(this.#span(bytes, n, origin));
  }

  #labelled(start: number): boolean {
    this.#asked = true;
    if (!this.#mayBeNamed()) return false;
    const reason = this.#witness.support(this.#detector, start);
    this.#match.reasons |= reason;
    return reason !== 0;
  }

  /** Asked as late as a verifier can: the name of a field is the dearest of all questions. */
  #mayBeNamed(): boolean {
    if (this.#gate === -1) return true;
    this.#nameless = !this.#witness.near(this.#gate);
    return !this.#nameless;
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
    const line = this.#lineOf(bytes, this.anchors.at[n]!, start);
    return {
      detector: this.#detector,
      start: start + origin,
      end: end + origin,
      line: line.number,
      column: start - line.start + 1,
      confidence,
      reasons,
      field: this.#witness.field(start),
    };
  }

  /** Few anchors become spans, so lines are counted only here: on from the batch's beginning or its last span. */
  #lineOf(bytes: Buffer, anchor: number, start: number): Line {
    countLines(bytes, this.#countedTo, anchor, this.#line);
    this.#countedTo = anchor;
    setLine(this.#valueLine, this.#line);
    // A value may begin on a later line than its anchor, never on an earlier one.
    countLines(bytes, anchor, start, this.#valueLine);
    return this.#valueLine;
  }
}
