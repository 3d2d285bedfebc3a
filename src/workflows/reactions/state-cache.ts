/** LRU cache of folded states, so that the next event of the same workflow needs no read. */
import type { VersionedState } from '../state/fold.ts';

export class StateCache {
  readonly #max: number;
  readonly #states = new Map<number, VersionedState>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Only if it has this version; otherwise another process has written. */
  at(key: number, version: number): VersionedState | null {
    const folded = this.#states.get(key);
    return folded?.version === version ? folded : null;
  }

  keep(key: number, folded: VersionedState): void {
    this.#states.delete(key);
    this.#states.set(key, folded);
    if (this.#states.size <= this.#max) return;
    // In bulk: finding the first entry of a Map is slow after many deletions before it.
    let surplus = Math.max(1, this.#max >> 3);
    for (const oldest of this.#states.keys()) {
      if (surplus-- === 0) return;
      this.#states.delete(oldest);
    }
  }

  /** After a failure: the retry reads what is stored. */
  forget(key: number): void {
    this.#states.delete(key);
  }

  clear(): void {
    this.#states.clear();
  }

  get size(): number {
    return this.#states.size;
  }
}
