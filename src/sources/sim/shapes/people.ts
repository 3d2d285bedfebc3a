/** Buckets as people fill them. */
import type { Group } from '../bucket.ts';
import { counter, digits, LETTERS, scattered, word } from '../naming.ts';
import { drawBelow } from '../random.ts';
import { distribute, type Folder, single, uneven } from './weighted.ts';

/** Names in many scripts, objects next to folders, names that are prefixes of others. */
export function unicode(count: number, seed: number): Group[] {
  const few = [
    '!readme',
    'README.md',
    'a',
    'archive',
    'zebra.txt',
    'été.txt',
    'Ω',
    '\uffee.txt',
    '😀',
    '🧪.bin',
  ];
  const many = Array.from({ length: 3000 }, (_, i) => `file-${digits(Math.floor(i * 3.3), 5)}.dat`);
  const singles = [...few, ...many].slice(0, count).map(single);
  const scripts: [string, number, number, string][] = [
    ['archive/', 3, 9, ''],
    ['データ/2024/', 4, 8, '.csv'],
    ['данные/', 2, 7, ''],
    ['emoji-😀/', 1, 7, ''],
    ['ｆｕｌｌ/', 2, 8, ''],
    ['🚀/launch/', 3, 8, ''],
    ['images/', 5, 8, '.jpg'],
    ['ÿ/', 1, 7, ''],
  ];
  const folders = scripts.map(([prefix, weight, width, tail]): Folder => {
    return { prefix, weight, names: (n) => counter(n, width, tail) };
  });
  const characters = Array.from({ length: 400 }, (_, i): Folder => {
    const character = String.fromCodePoint(0x4e00 + i * 50 + drawBelow(40, seed, i, 2));
    return {
      prefix: `漢字/${character}/`,
      weight: 0.015 * uneven(seed, i, 0.8),
      names: (n) => counter(n, 6),
    };
  });
  return [...singles, ...distribute([...folders, ...characters], count - singles.length)];
}

const MAX_FOLDERS = 6000;

/** A file share: nested folders with random names, of very different sizes and depths. */
export function tree(count: number, seed: number): Group[] {
  const leaves: Folder[] = [];
  const grow = (path: string, weight: number, depth: number, at: number): void => {
    const children = depth > 5 || leaves.length > MAX_FOLDERS ? 0 : Math.floor(8 * uneven(seed, at, 1)) - 3;
    if (children < 1 && depth > 1) {
      const names = (n: number) => scattered(seed + at, n, LETTERS, 11, '.docx');
      return void leaves.push({ prefix: path, weight, names });
    }
    const taken = new Set<string>();
    for (let child = 0; child < Math.max(8, children); child++) {
      const below = (at * 131 + child + 1) % 2 ** 31;
      const name = word(seed, below, 3, 12);
      if (taken.has(name)) continue;
      taken.add(name);
      grow(`${path}${name}/`, weight * uneven(seed, below, 1), depth + 1, below);
    }
  };
  grow('', 1, 0, 1);
  return distribute(leaves, count);
}
