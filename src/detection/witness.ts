import { type ContextTest, contextTest, plainWords, WORDS_BACK, wordsBefore } from './context.ts';
import type { Detector } from './detector.ts';
import { REASON } from './reasons.ts';

export type FieldAt = (at: number) => string | null;

const SUPPORTS = 1;
const DENIES = 2;
const NAMES_KEPT = 1024;
const DENIAL_BACK = 20; // "order 4539…" says what it is; a sentence that mentions orders does not
const SLACK = 8; // a value may begin a little before its anchor

/**
 * What speaks for and against a value beside the value itself: the words before it and the name of its field. Several
 * detectors ask about one place, so both are found once; and a field's name says the same on every row.
 */
export class Witness {
  readonly #tests: readonly (ContextTest | null)[];
  /** By a field's name, what it says to each detector. */
  readonly #names = new Map<string, Uint8Array>();
  #bytes: Buffer = Buffer.alloc(0);
  #origin = 0;
  #fieldAt: FieldAt = () => null;
  #lastLabel = Number.NEGATIVE_INFINITY; // an offset of the text
  #at = -1;
  #words: string | null = null;
  #field: string | null | undefined = undefined;
  #says: Uint8Array | null = null; // what the field's name says to each detector

  constructor(detectors: readonly Detector[]) {
    this.#tests = detectors.map((detector) => (detector.context ? contextTest(detector.context) : null));
  }

  begin(): void {
    this.#lastLabel = Number.NEGATIVE_INFINITY;
  }

  see(bytes: Buffer, origin: number, fieldAt: FieldAt): void {
    this.#bytes = bytes;
    this.#origin = origin;
    this.#fieldAt = fieldAt;
    this.#at = -1;
  }

  /** The pass has seen a word here that some detector may care about. */
  label(at: number): void {
    this.#lastLabel = at + this.#origin;
  }

  /** Whether anything at all may speak for a value that begins about here. */
  near(at: number): boolean {
    return at + this.#origin - this.#lastLabel <= WORDS_BACK + SLACK || this.field(at) !== null;
  }

  /** Which witness speaks for the detector: REASON.contextWord, REASON.fieldName or 0. */
  support(detector: number, start: number): number {
    const test = this.#tests[detector]!;
    if (test === null) return 0;
    // The field's name is the better witness, and the dearer one.
    if (start + this.#origin - this.#lastLabel <= WORDS_BACK && test.supports(this.#wordsAt(start)))
      return REASON.contextWord;
    return this.#nameSays(detector, start) & SUPPORTS ? REASON.fieldName : 0;
  }

  /** Whether something says that it is something else. */
  denial(detector: number, start: number): boolean {
    const test = this.#tests[detector]!;
    if (test === null) return false;
    return (
      test.denies(this.#wordsAt(start).slice(-DENIAL_BACK)) ||
      (this.#nameSays(detector, start) & DENIES) !== 0
    );
  }

  field(start: number): string | null {
    this.#turnTo(start);
    if (this.#field === undefined) this.#field = this.#fieldAt(start);
    return this.#field;
  }

  #wordsAt(start: number): string {
    this.#turnTo(start);
    this.#words ??= wordsBefore(this.#bytes, start);
    return this.#words;
  }

  #turnTo(start: number): void {
    if (this.#at === start) return;
    this.#at = start;
    this.#words = null;
    this.#field = undefined;
    this.#says = null;
  }

  #nameSays(detector: number, start: number): number {
    const name = this.field(start);
    if (name === null) return 0;
    this.#says ??= this.#names.get(name) ?? this.#learn(name);
    return this.#says[detector]!;
  }

  #learn(name: string): Uint8Array {
    const words = plainWords(name);
    const says = this.#tests.map((test) =>
      test === null ? 0 : (test.supports(words) ? SUPPORTS : 0) | (test.denies(words) ? DENIES : 0),
    );
    if (this.#names.size >= NAMES_KEPT) this.#names.clear();
    const known = Uint8Array.from(says);
    this.#names.set(name, known);
    return known;
  }
}
