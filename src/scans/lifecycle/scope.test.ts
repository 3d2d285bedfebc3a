import { describe, expect, it } from 'vitest';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { scopeHash, scopeOf } from './scope.ts';

const rules = {
  ...DEFAULT_RULES,
  paths: { include: ['a/**'], exclude: ['tmp/'] },
  sample: 10,
};

describe('the scope of a scan', () => {
  it('is that of its rules by default', () => {
    expect(scopeOf({ scope: {}, ruleSet: rules })).toEqual({
      include: ['a/**'],
      exclude: ['tmp/'],
      sample: 10,
    });
    expect(scopeOf({ scope: {}, ruleSet: DEFAULT_RULES })).toEqual({});
  });

  it('is narrowed by the request', () => {
    const scope = { include: ['b/**'], exclude: ['old/'], sample: 50 };
    expect(scopeOf({ scope, ruleSet: rules })).toEqual({
      include: ['b/**'],
      exclude: ['old/', 'tmp/'],
      sample: 50,
    });
  });

  it('has a hash of its own with a sample', () => {
    const hash = (sample: number | null) => scopeHash(scopeOf({ scope: {}, ruleSet: { ...rules, sample } }));
    expect(new Set([hash(null), hash(10), hash(20)]).size).toBe(3);
  });
});
