/** A lease of the simulated cluster: a range of keys, and of the numbers of its objects. */
import type { Key } from '../../src/base/key.ts';
import { type CountedRange, MIN_PAGE_KEYS, sampleRanks } from '../../src/scans/planning/counted-range.ts';
import type { SplitHint } from '../../src/scans/planning/split-hint.ts';
import type { Bucket } from '../../src/sources/sim/bucket.ts';
import type { Costs } from './costs.ts';

export const PAGE = 1000;
/** Objects between two checkpoints: half a second's work. */
const BATCH_KEYS = 100;

export interface Position {
  /** Objects that are done and written. */
  readonly cursor: number;
  /** Objects that can't be split away. */
  readonly reserved: number;
  /** Objects that were listed. */
  readonly listed: number;
}

/** From when to when the cursor stands there. */
interface KeyBatch {
  readonly cursor: number;
  readonly from: number;
  readonly to: number;
}

const NO_BATCH: KeyBatch = { cursor: 0, from: 0, to: 0 };

export class Lease {
  readonly id: number;
  readonly after: Key;
  /** The objects `first` to `end`, the latter exclusive; work began at `from`. */
  readonly first: number;
  from: number;
  end: number;
  upTo: Key | null;
  hint: SplitHint | null;
  state: 'waiting' | 'held' | 'done' = 'waiting';
  /** When work on `from` began, and where its listing ended then. */
  began = 0;
  listedTo = 0;
  /** A holder that died never comes back. */
  diedAt = Number.POSITIVE_INFINITY;
  version = 0;
  #batch = NO_BATCH;
  lookedAtUntil = 0;
  failures = 0;

  constructor(id: number, bucket: Bucket, range: { after: Key; upTo: Key | null }, hint: SplitHint | null) {
    this.id = id;
    this.after = range.after;
    this.upTo = range.upTo;
    this.first = range.after === '' ? 0 : bucket.countUpTo(range.after);
    this.from = this.first;
    this.end = range.upTo === null ? bucket.count : bucket.countUpTo(range.upTo);
    this.hint = hint;
  }

  /** A worker claims it and starts its first object. */
  begin(at: number): void {
    this.state = 'held';
    this.diedAt = Number.POSITIVE_INFINITY;
    this.began = at;
    this.#batch = NO_BATCH;
    this.listedTo = this.end;
  }

  /** The position of its holder. Computed on demand, because nothing that has to be simulated happens in between. */
  at(now: number, costs: Costs): Position {
    const then = Math.min(now, this.diedAt);
    if (this.state !== 'held' || then < this.began)
      return { cursor: this.from, reserved: this.from, listed: this.from };
    if (then < this.#batch.from || then >= this.#batch.to) this.#batch = this.#batchAt(then, costs);
    const cursor = Math.min(this.end, this.#batch.cursor);
    const listed = this.from + (Math.floor((cursor - this.from) / PAGE) + 1) * PAGE;
    return { cursor, reserved: Math.min(this.end, cursor + BATCH_KEYS), listed: Math.min(this.end, listed) };
  }

  #batchAt(then: number, costs: Costs): KeyBatch {
    const before = costs.upTo(this.from);
    const done = costs.countAt(before + then - this.began) - this.from;
    const cursor = this.from + Math.floor(done / BATCH_KEYS) * BATCH_KEYS;
    const [from, to] = [cursor, cursor + BATCH_KEYS].map((count) => this.began + costs.upTo(count) - before);
    return { cursor, from: from!, to: to! };
  }

  /** The last of the first `count` keys of the bucket, or the start of the lease. */
  keyBefore(count: number, bucket: Bucket): Key {
    return count <= this.first ? this.after : bucket.keyAt(count - 1);
  }

  /** The hint that its holder publishes for its current page. */
  pageAt({ cursor, listed }: Position, bucket: Bucket): CountedRange | null {
    const start = this.from + Math.floor((listed - 1 - this.from) / PAGE) * PAGE;
    const from = Math.max(cursor, start);
    if (listed <= from || listed - start < MIN_PAGE_KEYS) return null;
    const places = sampleRanks(listed - from);
    const keys = places.map((place) => bucket.keyAt(from + place));
    return {
      after: this.keyBefore(from, bucket),
      upTo: keys.at(-1)!,
      count: listed - from,
      bytes: 0,
      keys,
      places,
    };
  }

  /** Splits at `end`; the holder notices when it starts its next page. */
  cutTo(upTo: Key, end: number, { listed }: Position): void {
    // The next page was requested when the current one was started.
    this.listedTo = Math.max(end, Math.min(this.listedTo, listed + PAGE));
    this.upTo = upTo;
    this.end = end;
  }

  /** Listing requests of its holder, each sent when the previous page is started. */
  pages(): number {
    return Math.max(1, Math.ceil((Math.min(this.listedTo, this.#lastPage() + PAGE) - this.from) / PAGE));
  }

  /** The end of the page that contains its last object. */
  #lastPage(): number {
    return this.from + Math.max(1, Math.ceil((this.end - this.from) / PAGE)) * PAGE;
  }
}
