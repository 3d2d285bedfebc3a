import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayKey, FIRST_KEY, keyBytes, keyFromBytes, keyOf } from './key.ts';

const bytes = fc.uint8Array({ maxLength: 12 });

describe('a key', () => {
  it('keeps every byte, text or not', () => {
    fc.assert(fc.property(bytes, (b) => keyBytes(keyFromBytes(b)).equals(b)));
  });

  it('of a text has the bytes of its UTF-8', () => {
    const property = fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(keyBytes(keyOf(text)).toString('utf8')).toBe(text);
    });
    fc.assert(property);
  });

  it('compares as its bytes do', () => {
    const property = fc.property(bytes, bytes, (a, b) => {
      const [x, y] = [keyFromBytes(a), keyFromBytes(b)];
      expect(x < y ? -1 : x > y ? 1 : 0).toBe(Buffer.compare(a, b));
    });
    fc.assert(property);
  });

  it('of an emoji comes after one of a full-width letter, though not as JavaScript strings', () => {
    expect('😀' < '\uff21').toBe(true);
    expect(keyOf('😀') > keyOf('\uff21')).toBe(true);
  });

  it('sorts a file before a folder with the same prefix, and that before longer names', () => {
    expect(['a0', 'a/x', 'a.txt'].map(keyOf).sort()).toEqual(['a.txt', 'a/x', 'a0']);
  });

  it('never comes before the first', () => {
    fc.assert(fc.property(bytes, (b) => keyFromBytes(b) >= FIRST_KEY));
  });

  it('reads only its own part of a shared buffer', () => {
    expect(keyFromBytes(new TextEncoder().encode('xabcx').subarray(1, 4))).toBe('abc');
  });
});

describe('showing a key', () => {
  it.each([
    ['plain/name [1].txt', 'plain/name [1].txt'],
    ['größe/😀', 'größe/😀'],
    ['line\nbreak\ttab', 'line\\nbreak\\x09tab'],
    ['back\\slash', 'back\\\\slash'],
    ['\x1b[31mred', '\\x1b[31mred'],
    ['right-to-left \u202egpj.exe', 'right-to-left \\u202egpj.exe'],
  ])('%j gives %j', (text, shown) => {
    expect(displayKey(keyOf(text))).toBe(shown);
  });

  it('shows bytes that are no text as numbers', () => {
    expect(displayKey(keyFromBytes(Uint8Array.from([0x61, 0xff, 0xc3, 0x28])))).toBe('a\\xff\\xc3(');
    expect(displayKey(keyFromBytes(Uint8Array.from([0xff, 0x5c, 0x0a])))).toBe('\\xff\\\\\\n');
  });

  it('distinguishes a two-byte control character from an invalid byte', () => {
    expect(displayKey(keyOf('\x85'))).not.toBe(displayKey(keyFromBytes(Uint8Array.of(0x85))));
  });

  it('is one line, and unique for each key', () => {
    const property = fc.property(bytes, bytes, (a, b) => {
      const [x, y] = [keyFromBytes(a), keyFromBytes(b)];
      expect(displayKey(x)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(displayKey(x) === displayKey(y)).toBe(x === y);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
