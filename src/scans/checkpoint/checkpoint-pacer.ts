/**
 * Number of objects per checkpoint: a little less than a second's work, so that a crash repeats little and
 * the database load stays low. After a crash without progress batches are small, to narrow down the cause.
 */
const TARGET_MS = 800;
const DUE_MS = 1000;
const MIN_SIZE = 8; // a slow store delivers a few objects a second; other workers can't steal what is reserved
const INITIAL_SIZE = 16;
const MAX_SIZE = 8192;

/**
 * Learned from the shards of a scan in this process: the next shard starts with the speed of the last one.
 */
export interface PacerState {
  size: number;
}

export function initialPacerState(): PacerState {
  return { size: INITIAL_SIZE };
}

/** The part of the pacer that a shard uses. */
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

  /** Records a checkpoint with this many objects. */
  passed(objects: number): void {
    const ms = Math.max(1, this.sinceLastMs);
    this.#last = this.#now();
    if (this.#careful || objects === 0) return;
    const target = Math.round((objects / ms) * TARGET_MS);
    this.size = Math.min(MAX_SIZE, Math.max(MIN_SIZE, Math.min(target, this.size * 4)));
    this.#state.size = this.size;
  }
}
