import { expect, it } from 'vitest';
import { isPair, pairSet } from './byte-pairs.ts';

function knows(pairs: string, text: string): boolean {
  return isPair(pairSet(pairs), Buffer.from(text), 0);
}

it('knows its pairs in capital and small letters', () => {
  expect(knows('in to', 'to')).toBe(true);
  expect(knows('in to', 'IN')).toBe(true);
  expect(knows('in to', 'ot')).toBe(false);
  expect(knows('in to', 'an')).toBe(false);
});

it('takes a star for any byte', () => {
  expect(knows('*m', ' m')).toBe(true);
  expect(knows('*m', 'xm')).toBe(true);
  expect(knows('*m', 'mx')).toBe(false);
  expect(knows('m*', 'mx')).toBe(true);
  expect(knows('m*', 'xm')).toBe(false);
});
