import type { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { CorruptInput, type ExtractionError, LimitExceeded, Unsupported } from '../../extraction-error.ts';
import { listen, type PdfListener } from './pdfjs/platform.ts';

/** The beginnings of warnings that imply missing text. Most others concern appearance. */
const SERIOUS: readonly (readonly [start: string, error: () => ExtractionError])[] = [
  ['getTextContent - ignoring', () => new CorruptInput('PDF page')],
  ['getContentStream - ignoring', () => new CorruptInput('PDF page')],
  ['ensureStateFont', () => new CorruptInput('PDF page')],
  ['loadFont - ', () => new CorruptInput('PDF font')],
  ['Font "', () => new CorruptInput('PDF font')],
  ['readToUnicode - ignoring', () => new CorruptInput('PDF font')],
  ['Invalid cMap data', () => new CorruptInput('PDF font')],
  ['_parsedAnnotations', () => new CorruptInput('PDF annotation')],
  ['getAnnotationsData - ignoring', () => new CorruptInput('PDF annotation')],
  ['createGlobals', () => new CorruptInput('PDF annotation')],
  ['Cannot fetch form information', () => new CorruptInput('PDF form')],
  ['XFA - an error occurred', () => new CorruptInput('PDF form')],
  ['Unable to read document outline', () => new CorruptInput('PDF outline')],
  ['Search depth limit reached', () => new CorruptInput('PDF name tree')],
  ['Invalid stream', () => new CorruptInput('PDF stream')],
  ['Bad encoding in flate stream', () => new CorruptInput('PDF stream')],
  ['Bad block header in flate stream', () => new CorruptInput('PDF stream')],
  ['Filter "', () => new Unsupported('PDF filter')],
  ['Indexing all PDF objects', () => new CorruptInput('PDF cross-reference table')],
];
const IMAGE_TOO_LARGE = 'Image exceeded maximum allowed size';
const IMAGE_UNREADABLE = ['Unable to decode image', 'Unable to decode inline image'];
/** Logged by the parser for every word of an unterminated dictionary. In a broken document each one is parsed to the end of the file. */
const NO_KEY = 'Malformed dictionary';
const MAX_WITHOUT_KEY = 50_000;

/** Collects missing text. Reading continues; the first one becomes the reason of the result. */
export class PdfWarnings implements PdfListener {
  readonly #budget: ExtractionBudget;
  readonly #stop: () => void;
  #first: ExtractionError | null = null;
  #inflated = 0;
  #withoutKey = 0;
  /** Pictures that were too large to be decoded, up to now. */
  picturesLeftOut = 0;
  /** Pictures of kinds that can't be decoded, or broken ones, up to now. */
  picturesUnread = 0;

  constructor(budget: ExtractionBudget) {
    this.#budget = budget;
    this.#stop = listen(this);
  }

  record(error: ExtractionError): void {
    this.#first ??= error;
  }

  /** Must be called between pages: an exception thrown inside the library would be treated as damage. */
  settle(): void {
    const inflated = this.#inflated;
    this.#inflated = 0;
    this.#budget.countDecompressed(inflated);
  }

  end(): void {
    this.#stop();
  }

  throwFirst(): void {
    if (this.#first !== null) throw this.#first;
  }

  warned(message: string): void {
    if (message.startsWith(NO_KEY)) this.#noKey();
    else if (message.startsWith(IMAGE_TOO_LARGE)) this.picturesLeftOut++;
    else if (IMAGE_UNREADABLE.some((start) => message.startsWith(start))) this.picturesUnread++;
    else {
      const serious = SERIOUS.find(([start]) => message.startsWith(start));
      if (serious !== undefined) this.record(serious[1]());
    }
  }

  /** Makes the parser fail; its callers handle errors anywhere. */
  #noKey(): void {
    if (++this.#withoutKey <= MAX_WITHOUT_KEY) return;
    this.record(new CorruptInput('PDF object'));
    throw new Error('a dictionary without an end');
  }

  inflated(bytes: number): void {
    this.#inflated += bytes;
  }

  broken(what: string): void {
    this.record(new CorruptInput(what));
  }

  cut(what: string): void {
    this.record(new LimitExceeded(what));
  }
}
