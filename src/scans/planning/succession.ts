/** How many folders follow one another inside one folder, by depth, as far as keys in order have shown. */
import { commonSteps, type Step } from './key-steps.ts';

export class Succession {
  readonly #followed: number[] = [];
  readonly #left: number[] = [];

  /** From one key to a later one: some folders are left, and in the one that holds both another follows. */
  pass(from: readonly Step[], to: readonly Step[]): void {
    const fork = commonSteps(from, to);
    const depth = (from[fork] ?? to[fork])?.depth ?? 0;
    const deepest = from.at(-1)?.depth ?? 0;
    if (Math.max(deepest, to.at(-1)?.depth ?? 0) > depth)
      this.#followed[depth] = (this.#followed[depth] ?? 0) + 1;
    for (let left = depth + 1; left <= deepest; left++) this.#left[left] = (this.#left[left] ?? 0) + 1;
  }

  /** In the mean, in a folder of that depth. Of folders that nobody has seen: hardly any. */
  followers(depth: number): number {
    return ((this.#followed[depth] ?? 0) + 0.3) / ((this.#left[depth] ?? 0) + 1);
  }
}
