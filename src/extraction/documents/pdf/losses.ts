import type { Budget } from '../../budget.ts';
import { Damage, Limit, type Obstacle, Unsupported } from '../../obstacle.ts';
import { type Listener, listen } from './platform.ts';

/** Warnings that tell of text that will be missing, by their beginning. Most others are about looks. */
const SERIOUS: readonly (readonly [start: string, obstacle: () => Obstacle])[] = [
  ['getTextContent - ignoring', () => new Damage('PDF page')],
  ['getContentStream - ignoring', () => new Damage('PDF page')],
  ['ensureStateFont', () => new Damage('PDF page')],
  ['loadFont - ', () => new Damage('PDF font')],
  ['Font "', () => new Damage('PDF font')],
  ['readToUnicode - ignoring', () => new Damage('PDF font')],
  ['Invalid cMap data', () => new Damage('PDF font')],
  ['_parsedAnnotations', () => new Damage('PDF annotation')],
  ['getAnnotationsData - ignoring', () => new Damage('PDF annotation')],
  ['createGlobals', () => new Damage('PDF annotation')],
  ['Cannot fetch form information', () => new Damage('PDF form')],
  ['XFA - an error occurred', () => new Damage('PDF form')],
  ['Unable to read document outline', () => new Damage('PDF outline')],
  ['Search depth limit reached', () => new Damage('PDF name tree')],
  ['Invalid stream', () => new Damage('PDF stream')],
  ['Bad encoding in flate stream', () => new Damage('PDF stream')],
  ['Bad block header in flate stream', () => new Damage('PDF stream')],
  ['Filter "', () => new Unsupported('PDF filter')],
  ['Indexing all PDF objects', () => new Damage('PDF cross-reference table')],
];
const PICTURE_LEFT_OUT = 'Image exceeded maximum allowed size';
const PICTURE_UNREAD = ['Unable to decode image', 'Unable to decode inline image'];
/** Said by the parser at every word of a dictionary without an end. In a broken document each such one is parsed to the end of the file. */
const NO_KEY = 'Malformed dictionary';
const MOST_WITHOUT_KEY = 50_000;

/** What was lost on the way. Reading goes on; the first loss is the reading's reason in the end. */
export class Losses implements Listener {
  readonly #budget: Budget;
  readonly #stop: () => void;
  #first: Obstacle | null = null;
  #inflated = 0;
  #withoutKey = 0;
  /** Pictures that were too large to be decoded, up to now. */
  picturesLeftOut = 0;
  /** Pictures of kinds that can't be decoded, or broken ones, up to now. */
  picturesUnread = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
    this.#stop = listen(this);
  }

  note(obstacle: Obstacle): void {
    this.#first ??= obstacle;
  }

  /** To be asked between pages: nothing may be thrown while the library is at work, it would be taken for damage. */
  settle(): void {
    const inflated = this.#inflated;
    this.#inflated = 0;
    this.#budget.unpacked(inflated);
  }

  end(): void {
    this.#stop();
  }

  throwFirst(): void {
    if (this.#first !== null) throw this.#first;
  }

  warned(message: string): void {
    if (message.startsWith(NO_KEY)) this.#noKey();
    else if (message.startsWith(PICTURE_LEFT_OUT)) this.picturesLeftOut++;
    else if (PICTURE_UNREAD.some((start) => message.startsWith(start))) this.picturesUnread++;
    else {
      const serious = SERIOUS.find(([start]) => message.startsWith(start));
      if (serious !== undefined) this.note(serious[1]());
    }
  }

  /** The parser may fail anywhere, and whoever called it knows what to do then: so it is made to. */
  #noKey(): void {
    if (++this.#withoutKey <= MOST_WITHOUT_KEY) return;
    this.note(new Damage('PDF object'));
    throw new Error('a dictionary without an end');
  }

  inflated(bytes: number): void {
    this.#inflated += bytes;
  }

  broken(what: string): void {
    this.note(new Damage(what));
  }

  cut(what: string): void {
    this.note(new Limit(what));
  }
}
