import { describe, expect, it } from 'vitest';
import { looksRandom } from './entropy.ts';
import { isFiller } from './placeholder.ts';

describe('the body of a token', () => {
  it.each([
    'xxxxxxxxxxxxxxxxxxxx',
    'aB3dXXXXXXXXXXXXXXXX',
    `AKIA${'IOSFODNN7EXAMPLE'}`,
    'aB3d1234567890eF6g',
    'Q7abcdefghijkQ7',
    '9876543210aBcDe',
    'your-api-key-7f3a',
    '00000000-7f3a-4b1d',
    'abababababab',
  ])('%s is filler', (text) => expect(isFiller(text)).toBe(true));

  it.each(['4f9aQ0c17eZ2b84dK6f8a3cX51', 'SeineFakeToken4ZT28CyStgD3', 'a1b2c3d4e5f60718'])(
    '%s may be real',
    (text) => expect(isFiller(text)).toBe(false),
  );
});

describe('randomness', () => {
  it('depends on length and alphabet', () => {
    expect(looksRandom(3.6, 32, 16)).toBe(true); // hexadecimal
    expect(looksRandom(2.5, 32, 16)).toBe(false);
    expect(looksRandom(4.7, 36, 62)).toBe(true);
    expect(looksRandom(3.2, 36, 62)).toBe(false);
    expect(looksRandom(2.8, 14, 10)).toBe(true); // digits
  });
});
