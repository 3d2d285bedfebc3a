/** How many folders follow one another inside one folder, by depth, as far as keys in order have shown. */
import { commonPrefixLength, type KeyPosition } from './key-positions.ts';

export class SiblingStats {
  readonly #followed: number[] = [];
  readonly #left: number[] = [];

  /** From one key to a later one: some folders are left, and in the one that holds both another follows. */
  addTransition(from: readonly KeyPosition[], to: readonly KeyPosition[]): void {
    const fork = commonPrefixLength(from, to);
    const depth = (from[fork] ?? to[fork])?.depth ?? 0;
    const deepest = from.at(-1)?.depth ?? 0;
    if (Math.max(deepest, to.at(-1)?.depth ?? 0) > depth)
      this.#followed[depth] = (this.#followed[depth] ?? 0) + 1;
    for (let left = depth + 1; left <= deepest; left++) this.#left[left] = (this.#left[left] ?? 0) + 1;
  }

  /** In the mean, in a folder of that depth. Of folders that nobody has seen: hardly any. */
  expectedSiblings(depth: number): number {
    return ((this.#followed[depth] ?? 0) + 0.3) / ((this.#left[depth] ?? 0) + 1);
  }
}
