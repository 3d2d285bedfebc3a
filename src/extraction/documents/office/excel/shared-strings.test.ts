import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SharedStrings } from './shared-strings.ts';

describe('shared strings', () => {
  it('are found by their index, short and long ones', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.tuple(fc.string(), fc.nat(70_000)).map(([start, length]) => start.padEnd(length, 'x')),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
        const strings = new SharedStrings();
        for (const each of texts) strings.add(each);
        expect(texts.every((each, i) => strings.get(i) === each)).toBe(true);
        expect([-1, texts.length, 0.5, Number.NaN].map((i) => strings.get(i))).toEqual([
          null,
          null,
          null,
          null,
        ]);
      }),
      { numRuns: 50 },
    );
  });

  it('may be many', () => {
    const strings = new SharedStrings();
    for (let i = 0; i < 200_000; i++) strings.add(`text ${i}`);
    expect([0, 1023, 1024, 4095, 123_456, 199_999].map((i) => strings.get(i))).toEqual(
      [0, 1023, 1024, 4095, 123_456, 199_999].map((i) => `text ${i}`),
    );
  });

  it('have a limit', () => {
    const strings = new SharedStrings();
    const long = 'ж'.repeat(8 * 1024 * 1024);
    expect(() => {
      for (let i = 0; i < 40; i++) strings.add(long);
    }).toThrow('limit: shared strings');
  });
});
