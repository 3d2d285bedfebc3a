/** Buckets with few or no folders. */
import { keyOf } from '../../../base/key.ts';
import type { Group } from '../bucket.ts';
import { counter, DIGITS_AND_LETTERS, digits, inAlphabet, scattered, unpadded } from '../naming.ts';
import { drawBelow } from '../random.ts';
import { distribute, type Folder, uneven } from './weighted.ts';

/** object-000000000041.txt */
export function flat(count: number): Group[] {
  return [{ prefix: keyOf('object-'), count, name: counter(count, 12, '.txt') }];
}

/** Names like hashes. */
export function hex(count: number, seed: number): Group[] {
  return [{ prefix: keyOf(''), count, name: scattered(seed, count, '0123456789abcdef', 12, '.bin') }];
}

/** Numbers without zero padding. */
export function numbers(count: number): Group[] {
  return [{ prefix: keyOf('objects/'), count, name: unpadded(count, '.json') }];
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const HOURS = 3000;

/** Identifiers that begin with a timestamp: four months, quiet nights, days of very different traffic, some outages. */
export function ulid(count: number, seed: number): Group[] {
  const folders: Folder[] = Array.from({ length: HOURS }, (_, hour) => {
    const day = Math.floor(hour / 24);
    const night = hour % 24 < 6 ? 0.1 : 1;
    const outage = drawBelow(100, seed, day, 5) < 4 ? 0 : 1;
    return {
      prefix: `events/01${inAlphabet(26_500_000 + hour * 3, CROCKFORD, 5)}`,
      weight: night * outage * uneven(seed, day, 1) * uneven(seed, hour, 0.3),
      names: (n) => scattered(seed + hour, n, CROCKFORD, 10),
    };
  });
  return distribute(folders, count);
}

/** Short links: six random letters and digits, in upper and lower case. */
export function links(count: number, seed: number): Group[] {
  const alphabet = [...DIGITS_AND_LETTERS, ...DIGITS_AND_LETTERS.slice(10).toUpperCase()].sort().join('');
  const shards: Folder[] = Array.from({ length: 10 }, (_, i) => ({
    prefix: `s${digits(i * 7, 2)}_`,
    weight: uneven(seed, i, 0.5),
    names: (n) => scattered(seed + i, n, alphabet, 9),
  }));
  return distribute(shards, count);
}
