/** Random for every seed: depth, number of folders, naming of folders and objects, and how even they are. */
import type { Group } from '../bucket.ts';
import { counter, DIGITS_AND_LETTERS, digits, LETTERS, scattered, unpadded, uuids, word } from '../naming.ts';
import { drawBelow } from '../random.ts';
import { distribute, type Folder, uneven } from './weighted.ts';

const MAX_FOLDERS = 20_000;

type Names = Folder['names'];

export function wild(count: number, seed: number): Group[] {
  const choose = (what: number, below: number) => drawBelow(below, seed, what, 61);
  const depth = choose(1, 5);
  const levels = Array.from({ length: depth }, (_, level) => ({
    naming: choose(10 + level, FOLDER_NAMES.length),
    width: Math.floor(2 * 4 ** ((choose(20 + level, 1000) / 1000) * 4)),
    spread: [0, 0.3, 1, 2][choose(30 + level, 4)]!,
    stop: choose(40 + level, 3) === 0 ? 0.3 : 0,
  }));
  const leaf = choose(50, OBJECT_NAMES.length);
  const leaves: Folder[] = [];
  const grow = (path: string, weight: number, level: number, at: number): void => {
    const here = levels[level];
    const ends = level > 0 && here !== undefined && uniform(seed, at, 62) < here.stop;
    if (here === undefined || ends || leaves.length > MAX_FOLDERS) {
      return void leaves.push({ prefix: path, weight, names: OBJECT_NAMES[leaf]!(seed, at) });
    }
    const names = new Set<string>();
    for (let child = 0; child < here.width; child++) names.add(FOLDER_NAMES[here.naming]!(child, seed, at));
    for (const [child, name] of [...names].entries()) {
      const below = (at * 8191 + child + 1) % 2 ** 31;
      grow(`${path}${name}/`, weight * uneven(seed, below, here.spread), level + 1, below);
    }
  };
  grow('', 1, 0, 1);
  return distribute(leaves, count);
}

const FOLDER_NAMES: readonly ((child: number, seed: number, at: number) => string)[] = [
  (child) => digits(child, 4),
  (child) => `${child + 1}`,
  (child, seed, at) => word(seed, at * 300 + child, 3, 10),
  (child, seed, at) => word(seed, at * 300 + child, 2, 5, DIGITS_AND_LETTERS),
  (child) => `dt=2024-${digits(1 + (Math.floor(child / 28) % 12), 2)}-${digits(1 + (child % 28), 2)}`,
  (child) => `region=${'abcdefgh'[child % 8]}${digits(Math.floor(child / 8), 2)}`,
  (child) => digits(child % 256, 1).padStart(2, '0'),
  (child, seed, at) => word(seed, at * 300 + child, 8, 8, '0123456789abcdef'),
];

const OBJECT_NAMES: readonly ((seed: number, at: number) => Names)[] = [
  () => (n) => counter(n, 5, '.gz'),
  () => (n) => counter(n, 12),
  () => (n) => unpadded(n, '.json'),
  (seed, at) => (n) => scattered(seed + at, n, '0123456789abcdef', 16),
  (seed, at) => (n) => scattered(seed + at, n, DIGITS_AND_LETTERS, 12, '.txt'),
  (seed, at) => (n) => scattered(seed + at, n, LETTERS, 14),
  (seed, at) => (n) => uuids(seed + at, n),
  (seed, at) => (n) => {
    const time = scattered(seed + at, n, '0123456789', 17);
    return (i) => `2024${time(i)}.log`;
  },
];

function uniform(seed: number, index: number, what: number): number {
  return drawBelow(1000, seed, index, what) / 1000;
}
