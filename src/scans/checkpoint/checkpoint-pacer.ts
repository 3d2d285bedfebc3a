/**
 * How much to take between two checkpoints: a little less than a second's work, so that a crash repeats little and the
 * database is asked seldom. After a crash without progress the steps are small, to come close to the cause.
 */
const TARGET_MS = 800;
const DUE_MS = 1000;
const MIN_SIZE = 8; // a slow store gives a few objects a second; what is reserved can't be taken by others
const INITIAL_SIZE = 16;
const MAX_SIZE = 8192;

/** What the shards of a scan have taught this process: the next one begins as the last one went. */
export interface PacerState {
  size: number;
}

export function initialPacerState(): PacerState {
  return { size: INITIAL_SIZE };
}

/** What a shard asks of its pace. */
export type Pacer = Pick<CheckpointPacer, 'size' | 'due' | 'sinceLastMs' | 'passed'>;

export class CheckpointPacer {
  size: number;
  readonly #careful: boolean;
  readonly #state: PacerState;
  readonly #now: () => number;
  #last: number;

  constructor(careful: boolean, learned = initialPacerState(), now: () => number = () => performance.now()) {
    this.#careful = careful;
    this.#state = learned;
    this.#now = now;
    this.#last = now();
    this.size = careful ? MIN_SIZE : learned.size;
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
    const wanted = Math.round((objects / ms) * TARGET_MS);
    this.size = Math.min(MAX_SIZE, Math.max(MIN_SIZE, Math.min(wanted, this.size * 4)));
    this.#state.size = this.size;
  }
}
