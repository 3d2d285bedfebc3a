import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeVariables, hasVariables, interpolate, literalPart, variableReference } from './interpolate.ts';

const env = { HOST: 'db1', PORT: '5432', EMPTY: '' };

it.each([
  [`${variableReference('HOST')}:${variableReference('PORT')}`, 'db1:5432'],
  [variableReference('NONE:-other'), 'other'],
  [variableReference('NONE:-'), ''],
  [variableReference('EMPTY:-other'), 'other'],
  [variableReference('HOST:-other'), 'db1'],
  [`$${variableReference('HOST')}`, variableReference('HOST')],
  ['$HOST costs $5', '$HOST costs $5'],
  ['', ''],
])('%s becomes %s', (text, filled) => {
  expect(interpolate(text, env)).toBe(filled);
});

it('a variable that is not set is named, and an empty one counts as not set', () => {
  expect(() => interpolate(variableReference('NONE'), env)).toThrow(
    'The environment variable NONE is not set.',
  );
  expect(() => interpolate(variableReference('EMPTY'), env)).toThrow(
    'The environment variable EMPTY is not set.',
  );
});

it.each([
  '${',
  variableReference(''),
  variableReference('1'),
  variableReference('A B'),
  '${A',
  variableReference('A:x'),
])('%s is not a variable', (text) => {
  expect(() => interpolate(text, env)).toThrow('A variable has no name, or its } is missing.');
});

it('any text can be written so that nothing in it is a variable', () => {
  const text = fc
    .array(fc.constantFrom('$', '{', '}', 'A', ':-', '$$', variableReference('A')))
    .map((parts) => parts.join(''));
  fc.assert(fc.property(text, (plain) => interpolate(escapeVariables(plain), {}) === plain));
});

it('literal text is distinguished from the value of a variable', () => {
  expect(
    [variableReference('A'), `a${variableReference('A')}`, 'a', `$${variableReference('A')}`].map(
      hasVariables,
    ),
  ).toEqual([true, true, false, false]);
  expect(literalPart(`a${variableReference('HOST')}b${variableReference('NONE:-c')}`)).toBe('abc');
});
