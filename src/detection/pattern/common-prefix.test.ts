import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonPrefix, patternOf } from './common-prefix.ts';
import { parsePattern } from './parse.ts';

const sources = [
  '[a-z]+\\d+',
  'ab|cd|efg',
  'x?y?z',
  '.{3}',
  '[^a]b',
  '\\D\\S',
  '[\\s\\S]{2}',
  'é[\\]\\\\^-]',
  '(?i)q-\\d{20}',
  '\\w+@\\w+',
];

describe('the common prefix of a pattern', () => {
  it('contains the bytes of every match at each position', () => {
    const [first, second, ...rest] = commonPrefix(parsePattern('a[bc]|bd+'));
    const bytes = (set: Uint8Array) =>
      [...set.keys()].filter((byte) => set[byte] === 1).map((byte) => String.fromCharCode(byte));
    expect([bytes(first!), bytes(second!), rest]).toEqual([['a', 'b'], ['b', 'c', 'd'], []]);
  });

  it.each(sources)('of %s, formatted as a pattern, is looser or equal at each position', (source) => {
    const outline = commonPrefix(parsePattern(source));
    const again = commonPrefix(parsePattern(patternOf(outline)));
    expect(again).toHaveLength(outline.length);
    fc.assert(
      fc.property(fc.nat(outline.length - 1), fc.integer({ min: 1, max: 255 }), (place, byte) => {
        expect(again[place]![byte]).toBeGreaterThanOrEqual(outline[place]![byte]!);
        if (byte < 128) expect(again[place]![byte]).toBe(outline[place]![byte]);
      }),
    );
  });
});
