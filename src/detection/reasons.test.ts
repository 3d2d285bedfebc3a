import { expect, it } from 'vitest';
import { REASON, reasonsOf } from './reasons.ts';

it('every reason has its own bit and its own words', () => {
  const bits = Object.values(REASON);
  const words = bits.map((bit) => reasonsOf(bit));
  expect(words.every((list) => list.length === 1)).toBe(true);
  expect(new Set(words.flat()).size).toBe(bits.length);
});

it('reasons are formatted in a fixed order, and none is an empty text', () => {
  expect(reasonsOf(REASON.testValue | REASON.checksum | REASON.pattern)).toEqual([
    'pattern',
    'checksum',
    'test value',
  ]);
  expect(reasonsOf(0)).toEqual([]);
});
