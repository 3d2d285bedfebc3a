/** The objects, bounds and byte ranges used by the conformance suite. */
import { FIRST_KEY, type Key, keyFromBytes, keyOf } from '../base/key.ts';
import type { Range } from '../base/range.ts';
import type { ByteRange } from './source.ts';
import { compareBytes } from './source-test-helpers.ts';

/** Names with counterintuitive order, keys that are prefixes of others, bytes that are not valid UTF-8. */
export function conformanceObjects(): Map<Key, Uint8Array> {
  const names = 'a.txt a/x a0 a-b a/b.c a/b/c a/b/d a/b0 a! A b bb bbb b.b/c b0/c p p/ p/q p/q/r pq'.split(
    ' ',
  );
  const texts = [
    'é',
    'e\u0301',
    'größe/ß.txt',
    '\uff21',
    '😀',
    '\uffee/x',
    '😀/x',
    'z z',
    'line\nbreak',
    '~',
    ' ',
  ];
  const bytes = [[0x61, 0xff, 0xfe], [0x80], [0xff, 0x2f, 0xff], [0xc3], [0xc3, 0x28], [0x01]];
  const keys = [
    ...[...names, ...texts, 'n'.repeat(200)].map(keyOf),
    ...bytes.map((b) => keyFromBytes(Uint8Array.from(b))),
  ];
  const expected = new Map(keys.map((key, i) => [key, Buffer.from(`${i}. ${'content '.repeat(i)}`)]));
  expected.set(keyOf('empty'), Buffer.alloc(0));
  return expected.set(keyOf('large'), Buffer.alloc((3 << 20) + 1, 'large '));
}

/** The keys, and keys directly before, after and below them. */
export function neighborKeys(keys: readonly Key[]): Key[] {
  const near = keys.flatMap((key) => [
    key,
    key.slice(0, -1),
    `${key}\0`,
    `${key}/`,
    key.replace(/\/.*/s, '/'),
  ]);
  return [...new Set([FIRST_KEY, ...near, '\xff', '\xff\xff'])] as Key[];
}

export function partition(cuts: readonly Key[]): Range[] {
  const sorted = cuts.filter((cut) => cut !== FIRST_KEY).sort(compareBytes);
  return [FIRST_KEY, ...sorted].map((after, i) => ({ after, upTo: sorted[i] ?? null }));
}

export function byteRangesOf(size: number): ByteRange[] {
  const middle = size >> 1;
  const pairs = [
    [0, 0],
    [0, 1],
    [0, size],
    [middle, size],
    [1, middle],
    [size - 1, size + 10],
    [size, size + 1],
  ];
  return pairs
    .filter(([from]) => from! >= 0)
    .map(([from, to]) => ({ from: from!, to: Math.max(from!, to!) }));
}
