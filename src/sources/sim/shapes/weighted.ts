/** Folders of different weight, which get their share of a number of objects. */
import { keyOf } from '../../../base/key.ts';
import type { Group } from '../bucket.ts';
import { gauss } from '../scatter.ts';

export interface Folder {
  readonly prefix: string;
  readonly weight: number;
  /** The names in it, given their number. */
  readonly names: (count: number, folder: number) => (index: number) => string;
}

/** The shares add up to `count`. */
export function distribute(folders: readonly Folder[], count: number): Group[] {
  const total = folders.reduce((sum, folder) => sum + folder.weight, 0);
  let weight = 0;
  let given = 0;
  return folders.map(({ prefix, weight: own, names }, i) => {
    weight += own;
    const share = Math.round((weight / total) * count) - given;
    given += share;
    return { prefix: keyOf(prefix), count: share, name: names(share, i) };
  });
}

/** Around 1; with `spread` 1 some are ten times as large as others. */
export function uneven(seed: number, index: number, spread: number): number {
  return Math.exp(spread * gauss(seed, index, 7));
}

/** One object of that name. */
export function single(key: string): Group {
  return { prefix: keyOf(key), count: 1, name: () => '' };
}
