import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeRuleChange } from './rule-change.ts';
import { parseRuleSet } from './rule-file.ts';
import {
  DEFAULT_RULES,
  detectionHash,
  isDetectorOn,
  type RuleSet,
  ruleSetHash,
  type Selection,
} from './rule-set.ts';
import { customRule, DETECTOR_INFOS } from './rules.fixture.ts';

const KNOWN = ['SSN', 'EMAIL', 'PHONE'];
const read = (text: string) => parseRuleSet(text, 'rules.yaml', DETECTOR_INFOS);
const rules = (change: Partial<RuleSet>): RuleSet => ({ ...DEFAULT_RULES, ...change });
const detectors = (include: string[], exclude: string[] = []) => rules({ detectors: { include, exclude } });

describe('isDetectorOn', () => {
  const on = (set: RuleSet) => KNOWN.filter((id) => isDetectorOn(set, id));

  it('enables all detectors unless some are included, and exclude takes precedence', () => {
    expect(on(DEFAULT_RULES)).toEqual(['SSN', 'EMAIL', 'PHONE']);
    expect(on(detectors(['EMAIL', 'SSN']))).toEqual(['SSN', 'EMAIL']);
    expect(on(detectors(['SSN', 'EMAIL'], ['EMAIL']))).toEqual(['SSN']);
  });

  it('enables optional detectors only if they are included', () => {
    expect(isDetectorOn(DEFAULT_RULES, 'URL')).toBe(false);
    expect(isDetectorOn(detectors(['URL']), 'URL')).toBe(true);
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
    ['excluded columns', rules({ columns: { include: [], exclude: ['a'] } })],
    ['a sample', rules({ sample: 10 })],
    ['policies', rules({ policies: { include: ['hipaa'], exclude: [], own: [] } })],
  ])('changes with %s', (_, changed) => {
    expect(ruleSetHash(changed)).not.toBe(ruleSetHash(DEFAULT_RULES));
  });
});

describe('the hashes of a rule set', () => {
  const names = fc.uniqueArray(fc.constantFrom('SSN', 'EMAIL', 'PHONE', 'a', 'b*'), { maxLength: 4 });
  const selection = fc.record({ include: names, exclude: names });
  const ruleSet = fc.record({
    minConfidence: fc.constantFrom(0.4, 0.5),
    thresholds: fc.dictionary(fc.constantFrom('SSN', 'EMAIL'), fc.constantFrom(0.4, 0.5, 0.9)),
    detectors: selection,
    columns: selection,
    tables: selection,
    paths: selection,
    custom: fc.subarray([customRule(), customRule({ id: 'OTHER' }), customRule({ id: 'THIRD' })]),
    sample: fc.constantFrom(null, 10),
  });
  const mixed = (rules: RuleSet): RuleSet => {
    const turn = ({ include, exclude }: Selection) => ({
      include: include.toReversed(),
      exclude: [...exclude, ...exclude],
    });
    return {
      ...rules,
      name: 'another',
      thresholds: Object.fromEntries(Object.entries(rules.thresholds).toReversed()),
      detectors: turn(rules.detectors),
      columns: turn(rules.columns),
      tables: turn(rules.tables),
      paths: turn(rules.paths),
      custom: rules.custom.toReversed(),
    };
  };

  it('depend on the content, never on its notation', () => {
    fc.assert(
      fc.property(ruleSet, (change) => {
        const one = rules(change);
        expect(ruleSetHash(mixed(one))).toBe(ruleSetHash(one));
        expect(detectionHash(mixed(one))).toBe(detectionHash(one));
      }),
    );
  });

  it('are the same after the rule set was stored with a scan and read', () => {
    fc.assert(
      fc.property(ruleSet, (change) => {
        const one = rules(change);
        expect(ruleSetHash(JSON.parse(JSON.stringify(one)))).toBe(ruleSetHash(one));
      }),
    );
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

describe('detectionHash of what changes findings', () => {
  const custom = customRule();
  it.each<[string, RuleSet]>([
    ['a threshold', rules({ thresholds: { SSN: 0.9 } })],
    ['a custom detector', rules({ custom: [custom] })],
    ['its pattern', rules({ custom: [{ ...custom, pattern: 'X\\d+' }] })],
    ['its checks', rules({ custom: [{ ...custom, checks: ['luhn'] }] })],
    ['its words', rules({ custom: [{ ...custom, context: { words: ['badge', 'pass'] } }] })],
    ['included columns', rules({ columns: { include: ['a'], exclude: [] } })],
    ['excluded tables', rules({ tables: { include: [], exclude: ['a'] } })],
  ])('differs with %s from all others', (_, changed) => {
    expect(detectionHash(changed)).not.toBe(detectionHash(DEFAULT_RULES));
    if (changed.custom[0] !== custom)
      expect(detectionHash(changed)).not.toBe(detectionHash(rules({ custom: [custom] })));
  });

  it('is the same for settings that equal the defaults, or change no finding', () => {
    expect(detectionHash(rules({ thresholds: { SSN: 0.5 } }))).toBe(detectionHash(DEFAULT_RULES));
    const renamed = { ...custom, title: 'another', risk: 9, examples: { match: ['EMP-1'], not: [] } };
    expect(detectionHash(rules({ custom: [renamed] }))).toBe(detectionHash(rules({ custom: [custom] })));
    const other = customRule({ id: 'OTHER' });
    expect(detectionHash(rules({ custom: [other, custom] }))).toBe(
      detectionHash(rules({ custom: [custom, other] })),
    );
    const off = rules({ custom: [custom], detectors: { include: [], exclude: ['PHONE', custom.id] } });
    const without = rules({ detectors: { include: [], exclude: [custom.id, 'PHONE'] } });
    expect(detectionHash(off)).toBe(detectionHash(without));
  });

  it('is that of the detectors a pack selects, however the pack is called', () => {
    expect(detectionHash(read('packs: [pii]'))).toBe(detectionHash(read('packs: [pii, hipaa]')));
    expect(detectionHash(read('packs: [pii]'))).not.toBe(detectionHash(read('packs: [pci]')));
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
    [
      DEFAULT_RULES,
      rules({ thresholds: { SSN: 0.9 }, sample: 10, columns: { include: [], exclude: ['id'] } }),
      ['threshold of SSN 0.5 → 0.9', 'columns id are excluded now', 'sample everything → 10 %'],
    ],
    [
      rules({ custom: [customRule()] }),
      rules({ custom: [customRule({ pattern: 'Y\\d+' }), customRule({ id: 'NEW_ONE' })] }),
      ['custom detector EMPLOYEE is written otherwise', 'custom detector NEW_ONE is new'],
    ],
    [
      DEFAULT_RULES,
      rules({ policies: { include: [], exclude: ['ferpa'], own: [] } }),
      ['policy ferpa is off now'],
    ],
  ])('says what changed (case %#)', (old, now, sentences) => {
    expect(describeRuleChange(old, now)).toEqual(sentences);
  });
});
