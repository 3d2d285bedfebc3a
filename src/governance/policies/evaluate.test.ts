import { describe, expect, it } from 'vitest';
import { DETECTOR_INFOS } from '../rules.fixture.ts';
import { compilePolicies } from './evaluate.ts';
import type { Condition } from './policy.ts';

const type = (detector: string, count = 1, confidence = 0.9) => ({ detector, count, confidence });

/** The contributing detectors, or null where the policy does not match. */
function evidence(when: Condition, types: ReturnType<typeof type>[], excludeIfOnly: string[] = []) {
  const evaluate = compilePolicies([{ id: 'p', title: 'p', when, excludeIfOnly }], DETECTOR_INFOS);
  return evaluate(types).p ?? null;
}

const one = (name: string): Condition => ({ one: name });

describe('a policy', () => {
  it('matches one type, by id, category, regulation or pack', () => {
    for (const name of ['SSN', 'category:direct_identifier', 'regulation:hipaa', 'pack:pii'])
      expect(evidence(one(name), [type('CREDIT_CARD'), type('SSN')])).toEqual(['SSN']);
    expect(evidence(one('SSN'), [type('EMAIL')])).toBeNull();
    expect(evidence(one('SSN'), [])).toBeNull();
  });

  it('matches any of several, and returns which', () => {
    const when = { anyOf: [one('SSN'), one('EMAIL')] };
    expect(evidence(when, [type('EMAIL'), type('CREDIT_CARD'), type('SSN')])).toEqual(['EMAIL', 'SSN']);
    expect(evidence(when, [type('PHONE')])).toBeNull();
  });

  it('matches all of several only if each is present', () => {
    const when = { allOf: [one('SSN'), one('EMAIL')] };
    expect(evidence(when, [type('SSN'), type('EMAIL')])).toEqual(['SSN', 'EMAIL']);
    expect(evidence(when, [type('SSN')])).toBeNull();
  });

  it('supports nested groups', () => {
    const when = {
      allOf: [one('CREDIT_CARD'), { anyOf: [{ allOf: [one('EMAIL'), one('PHONE')] }, one('SSN')] }],
    };
    expect(evidence(when, [type('CREDIT_CARD'), type('EMAIL')])).toBeNull();
    expect(evidence(when, [type('CREDIT_CARD'), type('EMAIL'), type('PHONE')])).toHaveLength(3);
    expect(evidence(when, [type('CREDIT_CARD'), type('SSN'), type('EMAIL')])).toEqual(['CREDIT_CARD', 'SSN']);
  });

  it('counts all types of a group together', () => {
    const when = { anyOf: [one('EMAIL'), one('PHONE')], minCount: 5 };
    expect(evidence(when, [type('EMAIL', 3), type('PHONE', 2)])).toEqual(['EMAIL', 'PHONE']);
    expect(evidence(when, [type('EMAIL', 3), type('PHONE', 1), type('SSN', 9)])).toBeNull();
    expect(
      evidence({ one: 'category:contact', minCount: 5 }, [type('EMAIL', 4), type('PHONE')]),
    ).toHaveLength(2);
  });

  it('ignores findings below the minimum confidence, also inside a group', () => {
    const when = { anyOf: [one('EMAIL'), { one: 'PHONE', minConfidence: 0.5 }], minConfidence: 0.8 };
    expect(evidence(when, [type('EMAIL', 9, 0.79), type('PHONE', 9, 0.7)])).toBeNull();
    expect(evidence(when, [type('EMAIL', 1, Math.fround(0.8)), type('PHONE', 9, 0.7)])).toEqual(['EMAIL']);
  });

  it('does not match if only excluded types contribute', () => {
    const when = { anyOf: [one('SSN'), one('EMAIL'), one('PHONE')] };
    expect(evidence(when, [type('EMAIL', 50), type('CREDIT_CARD')], ['category:contact'])).toBeNull();
    expect(evidence(when, [type('EMAIL'), type('SSN')], ['category:contact'])).toEqual(['EMAIL', 'SSN']);
  });
});
