import type { Key } from '../../base/key.ts';
import { drawBelow } from './random.ts';

/**
 * How the keys of a bucket look. Each shape gives the i-th of n keys by arithmetic, in byte order, so that a bucket
 * of any size needs no memory and can be entered anywhere.
 */
export type Shape = 'flat' | 'hex' | 'dates' | 'tenants' | 'heavy' | 'unicode';

type KeyAt = (index: number, count: number, seed: number) => string;

const shapes: Readonly<Record<Shape, KeyAt>> = {
  flat: (i) => `object-${digits(i, 12)}.txt`,

  /** Evenly spread like hashes, each at random within its stretch. */
  hex: (i, n, seed) => {
    const stretch = 2 ** 48 / n;
    const place = Math.floor(i * stretch) + drawBelow(Math.floor(stretch), seed, i, 1);
    return `${place.toString(16).padStart(12, '0')}.bin`;
  },

  /** A thousand a day, from 2015 on; 28 days a month are enough. */
  dates: (i) => {
    const day = Math.floor(i / 1000);
    const month = Math.floor(day / 28);
    const date = [2015 + Math.floor(month / 12), digits((month % 12) + 1, 2), digits((day % 28) + 1, 2)];
    return `${date.join('/')}/event-${digits(i % 1000, 4)}.json`;
  },

  /** A hundred tenants of very different sizes: the k-th begins at (k/100)³ of all. */
  tenants: (i, n) => {
    const tenant = partOf(i, n, 100, (k) => (k / 100) ** 3);
    return `tenant-${digits(tenant, 3)}/data/${digits(i, 12)}.csv`;
  },

  /** Nineteen in twenty objects lie in one folder among two thousand. */
  heavy: (i, n) => {
    const folder = partOf(i, n, 2000, (k) => (k <= 1234 ? (k / 2000) * 0.05 : 0.95 + (k / 2000) * 0.05));
    return `deep/a/b/folder-${digits(folder, 4)}/${digits(i, 12)}.log`;
  },

  /** Folders whose names need two, three and four bytes a letter. */
  unicode: (i, n) => {
    const folders = ['ascii', 'größe', '東京', '\uff21wide', '😀smile'];
    const part = partOf(i, n, folders.length, (k) => k / folders.length);
    return `${folders[part]}/${digits(i, 12)}.txt`;
  },
};

export function isShape(name: string): name is Shape {
  return Object.hasOwn(shapes, name);
}

export function keyAt(shape: Shape, index: number, count: number, seed: number): Key {
  return Buffer.from(shapes[shape](index, count, seed), 'utf8').toString('latin1') as Key;
}

function digits(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** Which of `parts` the index falls in; part k begins at the fraction `begin(k)` of all. */
function partOf(index: number, count: number, parts: number, begin: (part: number) => number): number {
  let low = 0;
  for (let high = parts; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (index >= begin(middle) * count) low = middle;
    else high = middle;
  }
  return low;
}
