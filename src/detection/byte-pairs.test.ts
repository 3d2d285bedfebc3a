import { expect, it } from 'vitest';
import { isPair, pairSet } from './byte-pairs.ts';

function knows(pairs: string, text: string): boolean {
  return isPair(pairSet(pairs), Buffer.from(text), 0);
}

it('matches its pairs in upper and lower case', () => {
  expect(knows('in to', 'to')).toBe(true);
  expect(knows('in to', 'IN')).toBe(true);
  expect(knows('in to', 'ot')).toBe(false);
  expect(knows('in to', 'an')).toBe(false);
});

it('accepts any byte in place of a star', () => {
  expect(knows('*m', ' m')).toBe(true);
  expect(knows('*m', 'xm')).toBe(true);
  expect(knows('*m', 'mx')).toBe(false);
  expect(knows('m*', 'mx')).toBe(true);
  expect(knows('m*', 'xm')).toBe(false);
});
