import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { keyOf } from '../base/key.ts';
import { compileGlob, pathText } from './glob.ts';

const matches = (glob: string, path: string) => compileGlob(glob).matches(pathText(keyOf(path)), false);

/** Pieces of patterns with the same meaning in both implementations. */
const piece = fc.constantFrom(
  'a',
  'b',
  '*',
  '?',
  '[ab]',
  '[^a]',
  'a*',
  '*b',
  '{a,b}',
  '{a,b*}',
  '.',
  'é',
  '**',
);
const pattern = fc
  .array(fc.array(piece, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  .map((names) => names.map((pieces) => pieces.join('')).join('/'))
  // More than two stars, or two next to other characters, have no defined meaning.
  .filter((text) => !/\*{3}|[^/]\*\*|\*\*[^/]|\}\/\*\*|^\.\/|(\{.*){6}/.test(text));
const name = fc.array(fc.constantFrom('a', 'b', 'c', '.', 'é'), { minLength: 1, maxLength: 4 });
const path = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .map((names) => names.map((chars) => chars.join('')).join('/'))
  // The package requires a character after the dot of `*.*`; a shell does not.
  .filter((text) => !/\.(\/|$)/.test(text));

describe('a pattern of --include', () => {
  it('matches what the package picomatch matches', () => {
    fc.assert(
      fc.property(pattern, path, (glob, text) => {
        const subject = glob.includes('/') ? text : text.slice(text.lastIndexOf('/') + 1);
        const reference = picomatch(glob, { dot: true, nonegate: true, flags: 's' });
        expect(matches(glob, text)).toBe(reference(subject));
      }),
      { numRuns: 5000 },
    );
  });

  it.each<[string, string, boolean]>([
    ['report (1).csv', 'x/report (1).csv', true],
    ['*.@(csv|tsv)', 'a.tsv', true],
    ['a?(b).txt', 'a.txt', true],
    ['\\*.txt', '*.txt', true],
    ['\\*.txt', 'a.txt', false],
    ['[[:digit:]]*', '7up', true],
    ['[a', '[a', true],
    ['?', '😀', true],
    ['??', '😀', false],
    ['{a,{b,c}}/x', 'c/x', true],
    ['a{b', 'a{b', true],
    ['logs/**', 'logs', true],
    ['logs/**/**', 'logs', true],
  ])('%s on %s: %s', (glob, text, expected) => {
    expect(matches(glob, text)).toBe(expected);
  });

  it.each(['+(a|b)', '*(a)', '!(a)', '{1..9}', `${'{a,b}'.repeat(20)}`, 'a'.repeat(2000)])(
    'is refused rather than misunderstood: %.40s',
    (glob) => {
      expect(() => compileGlob(glob)).toThrow(expect.objectContaining({ kind: 'usage' }));
    },
  );

  it('terminates for any input: a backtracking regular expression would take exponential time for each of these', () => {
    const deep = `${'aa/'.repeat(1000)}aa`;
    for (const glob of [`${'**/*a/'.repeat(10)}b`, `${'*a'.repeat(100)}b`, `${'**/a*/'.repeat(100)}b`])
      for (const text of [deep, 'a'.repeat(255), `x/${'a'.repeat(255)}`])
        expect(matches(glob, text)).toBe(false);
  }, 30_000);
});
