import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { decodeKey } from './s3-object.ts';

describe('a key in a listing', () => {
  it('is decoded for any content, with spaces as plus or not', () => {
    const text = fc.string({ unit: 'binary' });
    const property = fc.property(text, (name) => {
      const encoded = encodeURIComponent(name);
      expect(decodeKey(encoded)).toBe(keyOf(name));
      expect(decodeKey(encoded.replaceAll('%20', '+').replaceAll('%2F', '/'))).toBe(keyOf(name));
    });
    fc.assert(property);
  });

  it.each([
    ['a+b', 'a b'],
    ['a%2Bb', 'a+b'],
    ['100%', '100%'],
    ['%zz%4', '%zz%4'],
    ['%00%0a%7f', '\0\n\x7f'],
    ['%ff', '\xff'],
    ['gr%C3%B6%c3%9fe', 'gr\xc3\xb6\xc3\x9fe'],
    ['größe+1', 'gr\xc3\xb6\xc3\x9fe 1'],
  ])('%j is the bytes %j', (encoded, bytes) => {
    expect(decodeKey(encoded)).toBe(bytes);
  });
});
