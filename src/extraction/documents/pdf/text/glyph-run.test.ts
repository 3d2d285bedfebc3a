import { describe, expect, it } from 'vitest';
import { gapText } from './glyph-run.ts';

describe('the gap between two runs of text', () => {
  it.each([
    ['nothing', 0, ''],
    ['nothing where they overlap', -3, ''],
    ['nothing as far as a fifth of the height', 2.4, ''],
    ['a space', 3, ' '],
    ['a space as far as one height and a half', 18, ' '],
    ['a tab', 18.1, '\t'],
  ])('is %s, however it was added up', (_, gap, text) => {
    for (const rounding of [-1e-12, 0, 1e-12]) expect(gapText(100, 100 + gap + rounding, 12)).toBe(text);
  });
});
