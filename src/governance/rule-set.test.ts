import { describe, expect, it } from 'vitest';
import { describeRuleChange } from './rule-change.ts';
import { parseRuleSet } from './rule-file.ts';
import { DEFAULT_RULES, detectionHash, isDetectorOn, type RuleSet, ruleSetHash } from './rule-set.ts';

const KNOWN = ['SSN', 'EMAIL', 'PHONE'];
const read = (text: string) => parseRuleSet(text, 'rules.yaml', KNOWN);
const rules = (change: Partial<RuleSet>): RuleSet => ({ ...DEFAULT_RULES, ...change });
const detectors = (include: string[], exclude: string[] = []) => rules({ detectors: { include, exclude } });

describe('isDetectorOn', () => {
  const on = (set: RuleSet) => KNOWN.filter((id) => isDetectorOn(set, id));

  it('has all on unless some are named, and exclude wins', () => {
    expect(on(DEFAULT_RULES)).toEqual(['SSN', 'EMAIL', 'PHONE']);
    expect(on(detectors(['EMAIL', 'SSN']))).toEqual(['SSN', 'EMAIL']);
    expect(on(detectors(['SSN', 'EMAIL'], ['EMAIL']))).toEqual(['SSN']);
  });
});

describe('ruleSetHash', () => {
  it('does not depend on the order of keys and items, nor on formatting, nor on the name', () => {
    const one = read(
      'name: a\nweights: { SSN: 1, EMAIL: 2 }\npaths: { exclude: [b, a] }\nminConfidence: 0.70',
    );
    const other = read(
      'minConfidence: 0.7\npaths:\n  exclude:\n    - a\n    - b\nweights:\n  EMAIL: 2.0\n  SSN: 1',
    );
    expect(ruleSetHash(one)).toBe(ruleSetHash(other));
    expect(ruleSetHash(one)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, RuleSet]>([
    ['minConfidence', rules({ minConfidence: 0.6 })],
    ['detectors', detectors([], ['EMAIL'])],
    ['weights', rules({ weights: { SSN: 3 } })],
    ['included paths', rules({ paths: { include: ['a'], exclude: [] } })],
    ['excluded paths', rules({ paths: { include: [], exclude: ['a'] } })],
  ])('changes with %s', (_, changed) => {
    expect(ruleSetHash(changed)).not.toBe(ruleSetHash(DEFAULT_RULES));
  });
});

describe('detectionHash', () => {
  it('ignores scope and weights: they change no finding of an object', () => {
    const changed = rules({ paths: { include: ['a'], exclude: ['b'] }, weights: { SSN: 3 }, name: 'x' });
    expect(detectionHash(changed)).toBe(detectionHash(DEFAULT_RULES));
  });

  it('is that of the detectors that are on, however they were named', () => {
    expect(detectionHash(detectors(['SSN', 'EMAIL'], ['EMAIL']))).toBe(
      detectionHash(detectors(['SSN'], ['PHONE'])),
    );
    expect(detectionHash(detectors(['SSN']))).not.toBe(detectionHash(detectors([], ['SSN'])));
    expect(detectionHash(detectors(['SSN'], ['SSN']))).not.toBe(detectionHash(DEFAULT_RULES));
  });
});

describe('describeRuleChange', () => {
  it.each<[RuleSet, RuleSet, string[]]>([
    [DEFAULT_RULES, rules({ name: 'other' }), []],
    [rules({ minConfidence: 0.5 }), rules({ minConfidence: 0.7 }), ['minConfidence 0.5 → 0.7']],
    [DEFAULT_RULES, detectors([], ['EMAIL']), ['detector EMAIL is off now']],
    [detectors([], ['EMAIL']), DEFAULT_RULES, ['detector EMAIL is on now']],
    [
      detectors(['SSN', 'EMAIL']),
      detectors(['SSN', 'PHONE']),
      ['detector EMAIL is off now', 'detector PHONE is on now'],
    ],
    [DEFAULT_RULES, detectors(['SSN']), ['only SSN is on now']],
    [DEFAULT_RULES, detectors(['SSN', 'EMAIL']), ['only EMAIL, SSN are on now']],
    [detectors(['SSN']), detectors([], ['PHONE']), ['all detectors are on now except PHONE']],
    [
      rules({ weights: { SSN: 10, PHONE: 2 } }),
      rules({ weights: { EMAIL: 3 } }),
      ['weight of EMAIL 6 → 3', 'weight of PHONE 2 → 6'],
    ],
    [
      rules({ paths: { include: ['a/**'], exclude: [] } }),
      rules({ paths: { include: ['b/**'], exclude: ['tmp/**'] } }),
      ['paths b/** are included now', 'paths a/** are no longer included', 'paths tmp/** are excluded now'],
    ],
  ])('says what changed (case %#)', (old, now, sentences) => {
    expect(describeRuleChange(old, now)).toEqual(sentences);
  });
});
