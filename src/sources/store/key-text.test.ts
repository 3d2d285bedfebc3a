import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Key, keyFromBytes, keyOf } from '../../base/key.ts';
import { textNotAfter, textOf } from './key-text.ts';

const keyOfBytes = (...bytes: number[]) => keyFromBytes(Uint8Array.from(bytes));
const text = fc.string({ unit: 'binary', maxLength: 6 });

describe('a key as text', () => {
  it('is the text it was made of', () => {
    fc.assert(fc.property(text, (name) => textOf(keyOf(name)) === name));
  });

  it('is null if the bytes are not valid UTF-8', () => {
    for (const bytes of [
      [0xff],
      [0x61, 0x80],
      [0xc3],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ]) {
      expect(textOf(keyOfBytes(...bytes))).toBeNull();
    }
    expect(textOf(keyOfBytes(0xef, 0xbf, 0xbd))).toBe('\ufffd');
    expect(textOf(keyOfBytes(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
  });
});

describe('the text to start a listing with', () => {
  const bound = fc.oneof(
    fc.uint8Array({ maxLength: 8 }).map(keyFromBytes),
    fc
      .tuple(text, fc.uint8Array({ maxLength: 3 }))
      .map(([name, bytes]) => (keyOf(name) + keyFromBytes(bytes)) as Key),
  );

  it('is the bound itself if that is text', () => {
    fc.assert(fc.property(text, (name) => textNotAfter(keyOf(name)) === name));
  });

  it('is never after the bound, and is valid text', () => {
    const property = fc.property(bound, (key) => {
      const asked = textNotAfter(key);
      expect(asked.isWellFormed()).toBe(true);
      expect(keyOf(asked) <= key).toBe(true);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it('is so close to it that hardly any name is in between', () => {
    const property = fc.property(bound, text, (key, name) => {
      const rare = /[\u{10fffd}-\u{10ffff}\ufffe\uffff]/u;
      const between = keyOf(name) > keyOf(textNotAfter(key)) && keyOf(name) <= key;
      return !between || rare.test(name) || textOf(key) === name;
    });
    fc.assert(property, { numRuns: 2000 });
    expect(textNotAfter(keyOfBytes(0x61, 0xff))).toBe('a\u{10fffd}\u{10fffd}');
    expect(textNotAfter(keyOfBytes(0x61, 0x80))).toBe('a\x7f\u{10fffd}');
    expect(textNotAfter(keyOfBytes(0xc3))).toBe('\xbf\u{10fffd}');
    expect(textNotAfter(keyOfBytes(0xee, 0x80))).toBe('\ud7ff\u{10fffd}');
  });
});
