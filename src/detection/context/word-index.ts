import { CLASS, LOWER, UPPER } from '../bytes.ts';
import { gateWords, LABEL_LETTERS } from '../kernel/labels.ts';

const NO_DETECTORS: ReadonlySet<number> = new Set();
const PREFIX_LETTERS = UPPER | LOWER;

/**
 * Maps context words to detectors by a hash of the first letters, so that nothing has to be decoded. Words may collide; callers must test
 * the word itself.
 */
export class WordIndex {
  readonly #byPrefix = new Map<number, number[]>();

  /** Phrases as in a context rule. */
  add(phrases: readonly string[], detector: number): void {
    for (const word of new Set(phrases.flatMap(gateWords))) {
      const number = numberOf(Buffer.from(word), 0, word.length);
      const known = this.#byPrefix.get(number) ?? [];
      if (known.push(detector) === 1) this.#byPrefix.set(number, known);
    }
  }

  inText(text: string): ReadonlySet<number> {
    const bytes = Buffer.from(text, 'latin1');
    return this.inBytes(bytes, 0, bytes.length);
  }

  inBytes(bytes: Buffer, from: number, to: number): ReadonlySet<number> {
    let heard: Set<number> | null = null;
    for (let i = from; i < to; ) {
      const end = wordEnd(bytes, i, to);
      if (end - i > 1) {
        const concerned = this.#byPrefix.get(numberOf(bytes, i, Math.min(end, i + LABEL_LETTERS)));
        if (concerned !== undefined) {
          heard ??= new Set();
          for (const detector of concerned) heard.add(detector);
        }
      }
      i = Math.max(end, i + 1);
    }
    return heard ?? NO_DETECTORS;
  }
}

/** A run of letters; a capital after lower case begins the next word. */
function wordEnd(bytes: Buffer, from: number, to: number): number {
  let i = from;
  let before = UPPER;
  for (; i < to; i++) {
    const kind = CLASS[bytes[i]!]! & PREFIX_LETTERS;
    if (kind === 0 || (kind === UPPER && before === LOWER)) break;
    before = kind;
  }
  return i;
}

function numberOf(bytes: Buffer, from: number, to: number): number {
  let number = 0;
  for (let i = from; i < to; i++) number = (Math.imul(number, 33) + (bytes[i]! | 32)) | 0;
  return number;
}
