/** States that were folded lately, so that the next event of the same workflow needs no reading. The least used goes first. */
import type { VersionedState } from '../fold.ts';

export class StateCache {
  readonly #most: number;
  readonly #states = new Map<number, VersionedState>();

  constructor(max: number) {
    this.#most = max;
  }

  /** Only if it is of this version: what others did meanwhile shows there. */
  at(key: number, version: number): VersionedState | null {
    const folded = this.#states.get(key);
    return folded?.version === version ? folded : null;
  }

  keep(key: number, folded: VersionedState): void {
    this.#states.delete(key);
    this.#states.set(key, folded);
    if (this.#states.size <= this.#most) return;
    // Many at once: the first entry of a Map is found behind all that were deleted before it.
    let surplus = Math.max(1, this.#most >> 3);
    for (const oldest of this.#states.keys()) {
      if (surplus-- === 0) return;
      this.#states.delete(oldest);
    }
  }

  /** After a failure: another try begins with what is stored. */
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
