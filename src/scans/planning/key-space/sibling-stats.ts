/** How many folders follow one another inside one folder, by depth, from keys in order. */
import { commonPrefixLength, type KeyPosition } from './key-positions.ts';

export class SiblingStats {
  readonly #followed: number[] = [];
  readonly #left: number[] = [];

  /**
   * Records the step from one key to a later one: some folders end, and in their common folder another
   * follows.
   */
  addTransition(from: readonly KeyPosition[], to: readonly KeyPosition[]): void {
    const fork = commonPrefixLength(from, to);
    const depth = (from[fork] ?? to[fork])?.depth ?? 0;
    const deepest = from.at(-1)?.depth ?? 0;
    if (Math.max(deepest, to.at(-1)?.depth ?? 0) > depth)
      this.#followed[depth] = (this.#followed[depth] ?? 0) + 1;
    for (let left = depth + 1; left <= deepest; left++) this.#left[left] = (this.#left[left] ?? 0) + 1;
  }

  /** The mean for folders of that depth; close to zero for unseen ones. */
  expectedSiblings(depth: number): number {
    return ((this.#followed[depth] ?? 0) + 0.3) / ((this.#left[depth] ?? 0) + 1);
  }
}
