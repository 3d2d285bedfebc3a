import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asWritten, fillIn, hasPlaces, place, writtenPart } from './interpolate.ts';

const env = { HOST: 'db1', PORT: '5432', EMPTY: '' };

it.each([
  [`${place('HOST')}:${place('PORT')}`, 'db1:5432'],
  [place('NONE:-other'), 'other'],
  [place('NONE:-'), ''],
  [place('EMPTY:-other'), 'other'],
  [place('HOST:-other'), 'db1'],
  [`$${place('HOST')}`, place('HOST')],
  ['$HOST costs $5', '$HOST costs $5'],
  ['', ''],
])('%s becomes %s', (text, filled) => {
  expect(fillIn(text, env)).toBe(filled);
});

it('a variable that is not set is named, and an empty one counts as not set', () => {
  expect(() => fillIn(place('NONE'), env)).toThrow('The environment variable NONE is not set.');
  expect(() => fillIn(place('EMPTY'), env)).toThrow('The environment variable EMPTY is not set.');
});

it.each(['${', place(''), place('1'), place('A B'), '${A', place('A:x')])('%s is not a variable', (text) => {
  expect(() => fillIn(text, env)).toThrow('A variable has no name, or its } is missing.');
});

it('any text can be written so that nothing in it is a variable', () => {
  const text = fc
    .array(fc.constantFrom('$', '{', '}', 'A', ':-', '$$', place('A')))
    .map((parts) => parts.join(''));
  fc.assert(fc.property(text, (plain) => fillIn(asWritten(plain), {}) === plain));
});

it('what stands in a text itself is told from what a variable brings', () => {
  expect([place('A'), `a${place('A')}`, 'a', `$${place('A')}`].map(hasPlaces)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(writtenPart(`a${place('HOST')}b${place('NONE:-c')}`)).toBe('abc');
});
