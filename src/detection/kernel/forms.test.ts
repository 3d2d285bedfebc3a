import { describe, expect, it } from 'vitest';
import { parsePattern } from '../pattern/parse.ts';
import { shapesOf } from '../pattern/shapes.ts';
import { formAt, formsOf, sortOf } from './forms.ts';

const shapeOf = (pattern: string) => shapesOf(parsePattern(pattern))[0]!;

describe('the form of a number', () => {
  it('is one of those that its pattern may have', () => {
    for (const [pattern, number] of [
      [String.raw`\b\d{3}-\d{2}-\d{4}\b`, '536-22-8741'],
      [String.raw`\b[A-Z]{2}\d{6}[A-D]\b`, 'AB123456C'],
      [String.raw`\b\d{6}[-+]\d{4}\b`, '811218+9876'],
    ] as const)
      expect(formsOf(shapeOf(pattern))).toContain(formAt(Buffer.from(`${number} and more text`), 0));
  });

  it('sorts numbers in groups and with capitals in front, and leaves out what the filters pass by', () => {
    expect(sortOf(shapeOf(String.raw`\b\d{3}-\d{2}-\d{4}\b`))).toBe('digits');
    expect(sortOf(shapeOf(String.raw`\b[A-Z]{2}\d{6}[A-D]\b`))).toBe('capitals');
    expect(sortOf(shapeOf(String.raw`\b\d{4}-\d{2}-\d{6}\b`))).toBeNull();
    expect(sortOf(shapeOf(String.raw`\b\d{9}\b`))).toBeNull();
  });
});
