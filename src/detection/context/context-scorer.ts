import type { Detector } from '../detector.ts';
import { REASON } from '../reasons.ts';
import { type ContextMatcher, compileContext, contextStart, fieldWords, wordsBefore } from './context.ts';
import { WordIndex } from './word-index.ts';

export type FieldAt = (at: number) => string | null;

const POSITIVE = 1;
const NEGATIVE = 2;
const MAX_CACHED_FIELDS = 1024;
const NEGATIVE_LOOKBEHIND = 20; // "order 4539…" labels the number; a sentence that merely mentions orders does not

/**
 * Scores the context of a value: the words before it and the name of its field. Several detectors ask about one position, so both are
 * cached per position; field names are cached across rows.
 */
export class ContextScorer {
  readonly #tests: readonly (ContextMatcher | null)[];
  /** By the hash of a word's first letters: the detectors that have this context word. */
  readonly #positiveWords = new WordIndex();
  readonly #negativeWords = new WordIndex();
  /** By field name: what it means for each detector. */
  readonly #fieldCache = new Map<string, Uint8Array>();
  #bytes: Buffer = Buffer.alloc(0);
  #fieldAt: FieldAt = () => null;
  #at = -1;
  #words: string | null = null;
  #labelledDetectors: ReadonlySet<number> | null = null; // detectors with a context word before the value
  #field: string | null | undefined = undefined;
  #fieldBits: Uint8Array | null = null; // what the field name means for each detector

  constructor(detectors: readonly Detector[]) {
    this.#tests = detectors.map(({ context }) => (context ? compileContext(context) : null));
    detectors.forEach(({ context }, index) => {
      this.#positiveWords.add(context?.words ?? [], index);
      this.#negativeWords.add(context?.avoid ?? [], index);
    });
  }

  setWindow(bytes: Buffer, fieldAt: FieldAt): void {
    this.#bytes = bytes;
    this.#fieldAt = fieldAt;
    this.#at = -1;
  }

  /** Whether a field of that name is positive context for the detector. */
  isPositiveField(name: string, detector: number): boolean {
    return (this.#fieldBitsOf(name)[detector]! & POSITIVE) !== 0;
  }

  /** Whether the value has any context word before it, or a field. Finding the field is expensive and only done if `fields` is set. */
  mayHaveContext(start: number, fields: boolean): boolean {
    return this.#detectorsOfWords(start).size > 0 || (fields && this.field(start) !== null);
  }

  /** Whether a word before the value may be a context word of the detector, or its field name is one. */
  mayBeLabelled(detector: number, start: number): boolean {
    return (
      this.#detectorsOfWords(start).has(detector) || (this.#fieldContext(detector, start) & POSITIVE) !== 0
    );
  }

  /** Returns REASON.contextWord, REASON.fieldName or 0. */
  positiveContext(detector: number, start: number): number {
    const test = this.#tests[detector]!;
    if (test === null) return 0;
    // The field name is stronger evidence but more expensive to find, so the words are tested first.
    if (this.#detectorsOfWords(start).has(detector) && test.isPositive(this.#wordsAt(start)))
      return REASON.contextWord;
    return this.#fieldContext(detector, start) & POSITIVE ? REASON.fieldName : 0;
  }

  /** Whether a word or the field name is negative context for the detector. */
  negativeContext(detector: number, start: number): boolean {
    const test = this.#tests[detector]!;
    if (test === null) return false;
    return (
      test.isNegative(this.#wordsAt(start).slice(-NEGATIVE_LOOKBEHIND)) ||
      (this.#fieldContext(detector, start) & NEGATIVE) !== 0
    );
  }

  field(start: number): string | null {
    this.#moveTo(start);
    if (this.#field === undefined) this.#field = this.#fieldAt(start);
    return this.#field;
  }

  /** The matched words themselves, for `seine explain`. */
  explainContext(
    detector: number,
    start: number,
  ): { positive: string | null; negative: string | null; field: string | null } {
    const test = this.#tests[detector]!;
    const field = this.field(start);
    const words = this.#wordsAt(start);
    const name = field === null ? '' : fieldWords(field);
    return {
      positive: test?.positiveWord(words) ?? test?.positiveWord(name) ?? null,
      negative: test?.negativeWord(words.slice(-NEGATIVE_LOOKBEHIND)) ?? test?.negativeWord(name) ?? null,
      field,
    };
  }

  #wordsAt(start: number): string {
    this.#moveTo(start);
    this.#words ??= wordsBefore(this.#bytes, start);
    return this.#words;
  }

  #detectorsOfWords(start: number): ReadonlySet<number> {
    this.#moveTo(start);
    this.#labelledDetectors ??= this.#positiveWords.inBytes(
      this.#bytes,
      contextStart(this.#bytes, start),
      start,
    );
    return this.#labelledDetectors;
  }

  #moveTo(start: number): void {
    if (this.#at === start) return;
    this.#at = start;
    this.#words = null;
    this.#labelledDetectors = null;
    this.#field = undefined;
    this.#fieldBits = null;
  }

  #fieldContext(detector: number, start: number): number {
    const name = this.field(start);
    if (name === null) return 0;
    this.#fieldBits ??= this.#fieldBitsOf(name);
    return this.#fieldBits[detector]!;
  }

  #fieldBitsOf(name: string): Uint8Array {
    const known = this.#fieldCache.get(name);
    if (known) return known;
    const words = fieldWords(name);
    const bits = new Uint8Array(this.#tests.length);
    // Only detectors that share a context word with the name are tested.
    for (const one of this.#positiveWords.inText(words))
      if (this.#tests[one]!.isPositive(words)) bits[one]! |= POSITIVE;
    for (const one of this.#negativeWords.inText(words))
      if (this.#tests[one]!.isNegative(words)) bits[one]! |= NEGATIVE;
    if (this.#fieldCache.size >= MAX_CACHED_FIELDS) this.#fieldCache.clear();
    this.#fieldCache.set(name, bits);
    return bits;
  }
}
