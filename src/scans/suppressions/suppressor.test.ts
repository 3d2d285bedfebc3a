import { describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { PathMatcher } from './path-matcher.ts';
import { type ActiveSuppression, addSuppressed, suppressionMatchHash } from './suppression.ts';
import { Suppressor } from './suppressor.ts';

const value = (
  id: number,
  fingerprint: string,
  more: Partial<ActiveSuppression> = {},
): ActiveSuppression => ({
  id,
  detector: 'EMAIL',
  fingerprint,
  path: null,
  object: null,
  ...more,
});
const path = (id: number, glob: string): ActiveSuppression => ({
  ...value(id, ''),
  fingerprint: null,
  path: glob,
});

function accepts(suppressor: Suppressor, key: string, fingerprint: string, detector = 'EMAIL'): boolean {
  suppressor.begin(keyOf(key));
  return suppressor.accepts(detector, () => fingerprint);
}

describe('a suppressor', () => {
  it('matches a value in all objects, and no other value', () => {
    const suppressor = new Suppressor([value(1, 'aa')]);
    expect(accepts(suppressor, 'x/a.txt', 'aa')).toBe(true);
    expect(accepts(suppressor, 'moved/b.txt', 'aa')).toBe(true);
    expect(accepts(suppressor, 'x/a.txt', 'bb')).toBe(false);
    expect(accepts(suppressor, 'x/a.txt', 'aa', 'SSN')).toBe(false);
  });

  it('keeps to the object, or to the paths, that a suppression names', () => {
    const here = new Suppressor([value(1, 'aa', { object: keyOf('a.txt') })]);
    expect([accepts(here, 'a.txt', 'aa'), accepts(here, 'b/a.txt', 'aa')]).toEqual([true, false]);
    const tests = new Suppressor([value(1, 'aa', { path: 'test/**' })]);
    expect([accepts(tests, 'test/a.txt', 'aa'), accepts(tests, 'src/a.txt', 'aa')]).toEqual([true, false]);
  });

  it('accepts any value of a detector in one object', () => {
    const suppressor = new Suppressor([{ ...value(1, ''), fingerprint: null, object: keyOf('a[1].txt') }]);
    expect(accepts(suppressor, 'a[1].txt', 'zz')).toBe(true);
    expect(accepts(suppressor, 'a1.txt', 'zz')).toBe(false);
  });

  it('accepts any value of a detector in some paths', () => {
    const suppressor = new Suppressor([path(1, 'test/**')]);
    expect(accepts(suppressor, 'test/deep/a.txt', 'zz')).toBe(true);
    expect(accepts(suppressor, 'prod/test.txt', 'zz')).toBe(false);
    expect(accepts(suppressor, 'test/a.txt', 'zz', 'SSN')).toBe(false);
  });

  it('counts by detector and by suppression, separately for each object', () => {
    const suppressor = new Suppressor([path(7, 'test/'), value(9, 'bb')]);
    suppressor.begin(keyOf('test/a.txt'));
    for (const fingerprint of ['aa', 'aa', 'bb']) suppressor.accepts('EMAIL', () => fingerprint);
    expect(suppressor.suppressed).toEqual({ counts: { EMAIL: 3 }, by: { 7: 3 } });
    suppressor.begin(keyOf('b.txt'));
    expect(suppressor.suppressed).toBeUndefined();
    suppressor.accepts('EMAIL', () => 'bb');
    expect(suppressor.suppressed).toEqual({ counts: { EMAIL: 1 }, by: { 9: 1 } });
  });

  it('gives a hit to the oldest, whatever the order and the kind', () => {
    for (const entries of [
      [path(2, '*'), value(1, 'aa')],
      [value(2, 'aa'), path(1, '*')],
      [value(2, 'aa'), value(1, 'aa')],
    ]) {
      const suppressor = new Suppressor(entries);
      accepts(suppressor, 'a.txt', 'aa');
      expect(suppressor.suppressed?.by).toEqual({ 1: 1 });
    }
  });

  it('asks for no fingerprint where none could matter', () => {
    const suppressor = new Suppressor([path(1, 'test/'), value(2, 'aa', { detector: 'SSN' })]);
    suppressor.begin(keyOf('a.txt'));
    const never = () => expect.unreachable();
    expect(suppressor.accepts('EMAIL', never)).toBe(false);
    expect(suppressor.accepts('IBAN', never)).toBe(false);
  });
});

describe('a path of a suppression', () => {
  it.each([
    ['test', 'a/test/b.txt', true],
    ['test/', 'test/b.txt', true],
    ['/test', 'a/test/b.txt', false],
    ['*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/deep/a.md', false],
    ['docs/**', 'docs/deep/a.md', true],
  ])('%s and %s: %s', (glob, key, covered) => {
    expect(new PathMatcher(glob).covers(keyOf(key))).toBe(covered);
  });
});

it('suppressions that accept the same have the same hash, others not', () => {
  const match = { ...value(1, 'aa'), source: null };
  expect(suppressionMatchHash({ ...match })).toBe(suppressionMatchHash(match));
  for (const change of [
    { detector: 'SSN' },
    { path: 'a' },
    { source: 'fs:/a' },
    { object: keyOf('a') },
    { fingerprint: null },
  ])
    expect(suppressionMatchHash({ ...match, ...change })).not.toBe(suppressionMatchHash(match));
});

it('the counts of two windows add up', () => {
  const one = { counts: { EMAIL: 1 }, by: { 3: 1 } };
  expect(addSuppressed(one, { counts: { EMAIL: 2, SSN: 1 }, by: { 3: 2, 4: 1 } })).toEqual({
    counts: { EMAIL: 3, SSN: 1 },
    by: { 3: 3, 4: 1 },
  });
  expect(addSuppressed(undefined, one)).toBe(one);
  expect(addSuppressed(one, undefined)).toBe(one);
});
