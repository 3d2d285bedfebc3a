/**
 * How much to take between two checkpoints: a little less than a second's work, so that a crash repeats little and the
 * database is asked seldom. After a crash without progress the steps are small, to come close to the cause.
 */
const AIM_MS = 800;
const DUE_MS = 1000;
const LEAST = 8; // a slow store gives a few objects a second; what is reserved can't be taken by others
const FIRST = 16;
const MOST = 8192;

/** What the shards of a scan have taught this process: the next one begins as the last one went. */
export interface Experience {
  size: number;
}

export function noExperience(): Experience {
  return { size: FIRST };
}

/** What a shard asks of its pace. */
export type AnyPace = Pick<Pace, 'size' | 'due' | 'sinceLastMs' | 'passed'>;

export class Pace {
  size: number;
  readonly #careful: boolean;
  readonly #learned: Experience;
  readonly #now: () => number;
  #last: number;

  constructor(careful: boolean, learned = noExperience(), now: () => number = () => performance.now()) {
    this.#careful = careful;
    this.#learned = learned;
    this.#now = now;
    this.#last = now();
    this.size = careful ? LEAST : learned.size;
  }

  get sinceLastMs(): number {
    return this.#now() - this.#last;
  }

  get due(): boolean {
    return this.sinceLastMs > DUE_MS;
  }

  /** A checkpoint was written, with this many objects. */
  passed(objects: number): void {
    const ms = Math.max(1, this.sinceLastMs);
    this.#last = this.#now();
    if (this.#careful || objects === 0) return;
    const wanted = Math.round((objects / ms) * AIM_MS);
    this.size = Math.min(MOST, Math.max(LEAST, Math.min(wanted, this.size * 4)));
    this.#learned.size = this.size;
  }
}
