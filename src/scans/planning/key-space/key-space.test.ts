import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Key, keyFromBytes, keyOf } from '../../../base/key.ts';
import { someKeys } from '../some-keys.fixture.ts';
import { KeySpace } from './key-space.ts';
import { isValidUtf8, validUtf8 } from './valid-utf8.ts';

const anyKey = fc.oneof(
  fc.uint8Array({ maxLength: 8 }).map(keyFromBytes),
  fc.string({ unit: 'binary', maxLength: 6 }).map(keyOf),
);

function learnt(keys: readonly Key[]): KeySpace {
  const space = new KeySpace();
  space.learn([...keys].sort());
  return space;
}

describe('the space of keys', () => {
  it('has between any two keys only keys strictly between them, and valid text, whatever it has met', () => {
    const property = fc.property(
      someKeys,
      anyKey,
      anyKey,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (met, a, b, share) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        if (low === high) return;
        const key = learnt(met).between(low, high, share);
        if (key === null) return;
        expect(key > low && key < high).toBe(true);
        if (isValidUtf8(low)) expect(isValidUtf8(key)).toBe(true);
      },
    );
    fc.assert(property, { numRuns: 1000 });
  });

  it('has a monotonic and additive measure', () => {
    const property = fc.property(someKeys, (met) => {
      const space = learnt(met);
      const keys = [...met].sort();
      const [a, b, c] = [keys[0]!, keys[keys.length >> 1]!, keys.at(-1)!];
      if (a === b || b === c) return;
      expect(space.measure(a, b)).toBeGreaterThan(0);
      expect(space.measure(a, b) + space.measure(b, c)).toBeCloseTo(space.measure(a, c), 6);
    });
    fc.assert(property);
  });

  it('finds the middle of hashes from few samples', () => {
    const space = learnt(['00a3', '0b51', '41fe', '7d20', 'a9c3', 'fe02'].map(keyOf));
    expect(space.between(keyOf('0'), keyOf('g'), 0.5)!.slice(0, 1)).toMatch(/[78]/);
  });

  it('covers a script of which it has seen two letters', () => {
    const space = learnt(['漢字/丙/1', '漢字/丙/2', '漢字/龍/1'].map(keyOf));
    const middle = Buffer.from(
      space.between(keyOf('漢字/丙/2'), keyOf('漢字/龍/1'), 0.5)!,
      'latin1',
    ).toString();
    expect(middle.codePointAt(3)).toBeGreaterThan(0x5800);
    expect(middle.codePointAt(3)).toBeLessThan(0x9800);
  });

  it('excludes what was probed and found empty', () => {
    const months = ['01', '02', '06', '11', '12'].map((month) => keyOf(`2024/${month}/x`));
    const [before, after] = [learnt(months), learnt(months)];
    after.learnEmpty(keyOf('2024/2'), keyOf('2025/01/x'));
    for (let year = 2010; year < 2020; year++) after.learnEmpty(keyOf(`${year}/13`), keyOf(`${year}/:`));
    const late = (space: KeySpace) =>
      space.measure(keyOf('2024/2'), keyOf('2024/:')) / space.measure(keyOf('2024/'), keyOf('2024/2'));
    expect(late(after)).toBeLessThan(late(before));
  });
});

describe('bytes made valid', () => {
  it('are text with the same prefix, and valid text is unchanged', () => {
    const property = fc.property(fc.uint8Array({ maxLength: 8 }).map(keyFromBytes), (bytes) => {
      expect(isValidUtf8(validUtf8(bytes))).toBe(true);
      if (isValidUtf8(bytes)) expect(validUtf8(bytes)).toBe(bytes);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it.each([
    ['\xed\xa0\x80', '\ue000'],
    ['\xf4\xbf\xbf\xbf', '\u{10ffff}'],
    ['a\xe6\xbc', 'a漀'],
  ])('%j become %j', (bytes, text) => {
    expect(validUtf8(bytes)).toBe(keyOf(text));
  });
});
