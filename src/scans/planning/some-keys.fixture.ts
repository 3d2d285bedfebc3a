/** Keys of every kind, and a store that contains them: for tests of planning. */
import fc from 'fast-check';
import { type Key, keyOf } from '../../base/key.ts';
import { contains, type Range } from '../../base/range.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { Source } from '../../sources/source.ts';

/** Returns at most `most` keys per page; every object has ten bytes. */
export function storeOf(keys: readonly Key[], most = 1000): Source & { calls: number } {
  const sorted = [...keys].sort();
  const source = {
    ...createMemorySource(),
    calls: 0,
    async page(range: Range, limit: number) {
      source.calls++;
      const inside = sorted.filter((key) => contains(range, key));
      const some = inside.slice(0, Math.min(most, limit));
      return { keys: some, bytes: some.length * 10, more: inside.length > some.length };
    },
  };
  return source;
}

const part = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'logs',
    '2024',
    '01',
    'x'.repeat(40),
    'größe',
    '😀',
    '\uff21',
    '\ue000',
    '~',
    ' ',
  ),
  fc.nat({ max: 99_999 }).map(String),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
);
/** Root keys, folders as objects, keys that are prefixes of others. */
const name = fc
  .array(part, { minLength: 1, maxLength: 4 })
  .chain((parts) => fc.constantFrom(parts.join('/'), `${parts.join('/')}/`, parts.join('')))
  .map(keyOf);

export const someKeys = fc.uniqueArray(name, { minLength: 1, maxLength: 200 });

export function folders(count: number): Key[] {
  return Array.from({ length: count }, (_, i) =>
    keyOf(`tenant-${i % 17}/2024/${String(i % 12).padStart(2, '0')}/${i}.json`),
  );
}

export const never = new AbortController().signal;
