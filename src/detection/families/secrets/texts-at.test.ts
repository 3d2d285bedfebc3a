import { expect, it } from 'vitest';
import { textsAt } from './texts-at.ts';

const bytes = Buffer.from('..ghp_abcdef SG.x');

it('finds which text is at a position', () => {
  expect(textsAt(['gho_', 'ghp_', 'ghp_abc'])(bytes, 2)).toBe(1);
  expect(textsAt(['gho_', 'ghp_abd'])(bytes, 2)).toBe(-1);
  expect(textsAt(['ghp_'])(bytes, 1)).toBe(-1);
});

it('continues after the first match', () => {
  expect(textsAt(['ghp_', 'ghp_abc'])(bytes, 2, 1)).toBe(1);
  expect(textsAt(['ghp_', 'ghp_abc'])(bytes, 2, 2)).toBe(-1);
});

it('supports texts of less than four bytes', () => {
  expect(textsAt(['SG.'])(bytes, 13)).toBe(0);
  expect(textsAt(['SH.'])(bytes, 13)).toBe(-1);
});

it('is case-sensitive by default', () => {
  expect(textsAt(['GHP_ABC'])(bytes, 2)).toBe(-1);
  expect(textsAt(['GHP_ABC'], true)(bytes, 2)).toBe(0);
  expect(textsAt(['sg.'], true)(bytes, 13)).toBe(0);
});
