import { type ContextTest, contextStart, contextTest, fieldWords, wordsBefore } from './context.ts';
import type { Detector } from './detector.ts';
import { REASON } from './reasons.ts';
import { WordIndex } from './word-index.ts';

export type FieldAt = (at: number) => string | null;

const SUPPORTS = 1;
const DENIES = 2;
const NAMES_KEPT = 1024;
const DENIAL_BACK = 20; // "order 4539…" says what it is; a sentence that mentions orders does not

/**
 * What speaks for and against a value beside the value itself: the words before it and the name of its field. Several
 * detectors ask about one place, so both are found once; and a field's name says the same on every row.
 */
export class Witness {
  readonly #tests: readonly (ContextTest | null)[];
  /** By a word's first letters, whom it may concern. */
  readonly #concerned = new WordIndex();
  readonly #denied = new WordIndex();
  /** By a field's name, what it says to each detector. */
  readonly #names = new Map<string, Uint8Array>();
  #bytes: Buffer = Buffer.alloc(0);
  #fieldAt: FieldAt = () => null;
  #at = -1;
  #words: string | null = null;
  #heard: ReadonlySet<number> | null = null; // those whom a word before the value may concern
  #field: string | null | undefined = undefined;
  #says: Uint8Array | null = null; // what the field's name says to each detector

  constructor(detectors: readonly Detector[]) {
    this.#tests = detectors.map(({ context }) => (context ? contextTest(context) : null));
    detectors.forEach(({ context }, index) => {
      this.#concerned.add(context?.words ?? [], index);
      this.#denied.add(context?.avoid ?? [], index);
    });
  }

  see(bytes: Buffer, fieldAt: FieldAt): void {
    this.#bytes = bytes;
    this.#fieldAt = fieldAt;
    this.#at = -1;
  }

  /** Whether a field of that name would speak for the detector. */
  cares(name: string, detector: number): boolean {
    return (this.#learnt(name)[detector]! & SUPPORTS) !== 0;
  }

  /** Whether any word before the value concerns anybody, or it has a field; a field is dear to find, and not always of interest. */
  anythingSaid(start: number, fields: boolean): boolean {
    return this.#hears(start).size > 0 || (fields && this.field(start) !== null);
  }

  /** Whether a word before the value may concern the detector, or its field's name speaks for it. */
  mayName(detector: number, start: number): boolean {
    return this.#hears(start).has(detector) || (this.#nameSays(detector, start) & SUPPORTS) !== 0;
  }

  /** Which witness speaks for the detector: REASON.contextWord, REASON.fieldName or 0. */
  support(detector: number, start: number): number {
    const test = this.#tests[detector]!;
    if (test === null) return 0;
    // The field's name is the better witness, and the dearer one.
    if (this.#hears(start).has(detector) && test.supports(this.#wordsAt(start))) return REASON.contextWord;
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

  /** The very words, for a person who asks why. */
  testimony(
    detector: number,
    start: number,
  ): { supports: string | null; denies: string | null; field: string | null } {
    const test = this.#tests[detector]!;
    const field = this.field(start);
    const words = this.#wordsAt(start);
    const name = field === null ? '' : fieldWords(field);
    return {
      supports: test?.supporting(words) ?? test?.supporting(name) ?? null,
      denies: test?.denying(words.slice(-DENIAL_BACK)) ?? test?.denying(name) ?? null,
      field,
    };
  }

  #wordsAt(start: number): string {
    this.#turnTo(start);
    this.#words ??= wordsBefore(this.#bytes, start);
    return this.#words;
  }

  #hears(start: number): ReadonlySet<number> {
    this.#turnTo(start);
    this.#heard ??= this.#concerned.inBytes(this.#bytes, contextStart(this.#bytes, start), start);
    return this.#heard;
  }

  #turnTo(start: number): void {
    if (this.#at === start) return;
    this.#at = start;
    this.#words = null;
    this.#heard = null;
    this.#field = undefined;
    this.#says = null;
  }

  #nameSays(detector: number, start: number): number {
    const name = this.field(start);
    if (name === null) return 0;
    this.#says ??= this.#learnt(name);
    return this.#says[detector]!;
  }

  #learnt(name: string): Uint8Array {
    const known = this.#names.get(name);
    if (known) return known;
    const words = fieldWords(name);
    const says = new Uint8Array(this.#tests.length);
    // Few detectors have a word of the name among theirs; only those are asked.
    for (const one of this.#concerned.inText(words))
      if (this.#tests[one]!.supports(words)) says[one]! |= SUPPORTS;
    for (const one of this.#denied.inText(words)) if (this.#tests[one]!.denies(words)) says[one]! |= DENIES;
    if (this.#names.size >= NAMES_KEPT) this.#names.clear();
    this.#names.set(name, says);
    return says;
  }
}
