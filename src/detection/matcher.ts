import { anchorTables } from './anchor-tables.ts';
import { AnchorBatch, type AnchorFinder, anchorFinder } from './anchors.ts';
import { NEWLINE } from './bytes.ts';
import { type ContextTest, contextTest, plainWords, wordsBefore } from './context.ts';
import type { Detector, Match } from './detector.ts';
import { REASON } from './reasons.ts';

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

type FieldAt = (at: number) => string | null;

/** The written weights of context. A value that needs it has its base confidence with context, and none without. */
const SUPPORTED = 0.1;
const DENIED = -0.35;
const MOST = 0.99;

/** Anchors → verifiers → context → threshold, over one stretch of a window. */
export class Matcher {
  readonly #detectors: readonly Detector[];
  readonly #tests: readonly (ContextTest | null)[];
  readonly #sets: readonly (readonly number[])[];
  readonly #finder: AnchorFinder;
  readonly #minConfidence: number;
  readonly anchors = new AnchorBatch();
  readonly #match: Match = { start: 0, end: 0, confidence: 0, reasons: 0, needsContext: false };
  // Several detectors ask about the same place; the words and the field are found once.
  #origin = 0;
  #askedAt = -1;
  #words = '';
  #fieldKnown = false;
  #field: string | null = null;

  constructor(detectors: readonly Detector[], minConfidence: number) {
    const tables = anchorTables(detectors);
    this.#detectors = detectors;
    this.#tests = detectors.map((detector) => (detector.context ? contextTest(detector.context) : null));
    this.#sets = tables.sets;
    this.#finder = anchorFinder(tables);
    this.#minConfidence = minConfidence;
  }

  /** `origin`: the text's offset of the window's first byte. */
  run(bytes: Buffer, from: number, to: number, origin: number, fieldAt: FieldAt, out: Span[]): void {
    const anchors = this.anchors;
    this.#origin = origin;
    for (let at = from; at < to; ) {
      at = this.#finder.find(bytes, at, to, anchors);
      this.#askedAt = -1;
      for (let n = 0; n < anchors.count; n++) this.#verifyAll(bytes, n, fieldAt, out);
    }
  }

  #verifyAll(bytes: Buffer, n: number, fieldAt: FieldAt, out: Span[]): void {
    const match = this.#match;
    const at = this.anchors.at[n]!;
    for (const index of this.#sets[this.anchors.set[n]!]!) {
      const detector = this.#detectors[index]!;
      match.confidence = detector.confidence;
      match.reasons = 0;
      match.needsContext = false;
      if (!detector.verify(bytes, at, match)) continue;
      if (!this.#weigh(bytes, this.#tests[index]!, fieldAt)) continue;
      if (match.confidence < this.#minConfidence) continue;
      out.push(this.#span(bytes, index, n, this.#fieldOf(match.start, fieldAt)));
    }
  }

  /** Weighs the context into the match; false: it needed some and there is none. */
  #weigh(bytes: Buffer, test: ContextTest | null, fieldAt: FieldAt): boolean {
    const match = this.#match;
    if (test === null) return true;
    this.#ask(match.start);
    if (this.#words === '') this.#words = wordsBefore(bytes, match.start) || ' ';
    const byWord = test.supports(this.#words);
    let byField = false;
    if (!byWord || test.denies(this.#words)) {
      // The field's name is the better witness, and the dearer one: ask it only if the words do not settle it.
      const field = this.#fieldOf(match.start, fieldAt);
      byField = field !== null && test.supports(plainWords(field));
      if (!byField && (test.denies(this.#words) || (field !== null && test.denies(plainWords(field))))) {
        match.confidence += DENIED;
        match.reasons |= REASON.otherMeaning;
        if (match.needsContext && !byWord) return false;
      }
    }
    if (!byWord && !byField) return !match.needsContext;
    match.reasons |= (byWord ? REASON.contextWord : 0) | (byField ? REASON.fieldName : 0);
    if (!match.needsContext) match.confidence = Math.min(MOST, match.confidence + SUPPORTED);
    return true;
  }

  #ask(at: number): void {
    if (this.#askedAt === at) return;
    this.#askedAt = at;
    this.#words = '';
    this.#fieldKnown = false;
  }

  #fieldOf(at: number, fieldAt: FieldAt): string | null {
    this.#ask(at);
    if (!this.#fieldKnown) {
      this.#field = fieldAt(at);
      this.#fieldKnown = true;
    }
    return this.#field;
  }

  #span(bytes: Buffer, detector: number, n: number, field: string | null): Span {
    const { start, end, confidence, reasons } = this.#match;
    let line = this.anchors.line[n]!;
    let lineStart = this.anchors.lineStart[n]!;
    // A value may begin on a later line than its anchor, never on an earlier one.
    for (let i = this.anchors.at[n]!; i < start; i++) {
      if (bytes[i] !== NEWLINE) continue;
      line++;
      lineStart = i + 1;
    }
    const origin = this.#origin;
    const column = start - lineStart + 1;
    return { detector, start: start + origin, end: end + origin, line, column, confidence, reasons, field };
  }
}
