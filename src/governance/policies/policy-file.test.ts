import { describe, expect, it } from 'vitest';
import { parseRuleSet } from '../rule-file.ts';
import { DETECTOR_INFOS } from '../rules.fixture.ts';
import { BUILTIN_POLICY_NAMES } from './builtin.ts';
import { policiesOf } from './policies-of.ts';

const read = (text: string) => parseRuleSet(text, 'rules.yaml', DETECTOR_INFOS);
const own = (lines: string) => `policies:\n  own:\n    payroll:\n${lines.replace(/^/gm, '      ')}`;

describe('policies in a rule set', () => {
  it('are the built-in ones, unless some are named, and the custom ones', () => {
    const on = (text: string) => policiesOf(read(text)).map(({ id }) => id);
    expect(on('name: a')).toEqual(BUILTIN_POLICY_NAMES);
    expect(on('policies: { include: [HIPAA] }')).toEqual(['hipaa']);
    expect(on('policies: { exclude: [hipaa] }')).toEqual(BUILTIN_POLICY_NAMES.filter((id) => id !== 'hipaa'));
    expect(on(own('any_of: [SSN]'))).toEqual([...BUILTIN_POLICY_NAMES, 'payroll']);
    expect(on(`${own('any_of: [SSN]')}\n  include: [hipaa]`)).toEqual(['hipaa', 'payroll']);
    expect(on(`${own('any_of: [SSN]')}\n  exclude: [payroll]`)).toEqual(BUILTIN_POLICY_NAMES);
  });

  it('support conditions in groups, with minimum counts', () => {
    const text = own(`title: Payroll data
all_of:
  - ssn
  - { detector: 'category:contact', min_count: 3 }
  - any_of: [CREDIT_CARD, 'pack:pci']
    min_confidence: 0.7
min_count: 10
exclude_if_only: [EMAIL]`);
    expect(read(text).policies.own).toEqual([
      {
        id: 'payroll',
        title: 'Payroll data',
        when: {
          allOf: [
            { one: 'SSN' },
            { one: 'category:contact', minCount: 3 },
            { anyOf: [{ one: 'CREDIT_CARD' }, { one: 'pack:pci' }], minConfidence: 0.7 },
          ],
          minCount: 10,
        },
        excludeIfOnly: ['EMAIL'],
      },
    ]);
  });

  it('can name combinations: any of them, each in full', () => {
    expect(read(own('combinations: [[SSN, EMAIL], [CREDIT_CARD]]')).policies.own[0]!.when).toEqual({
      anyOf: [{ allOf: [{ one: 'SSN' }, { one: 'EMAIL' }] }, { allOf: [{ one: 'CREDIT_CARD' }] }],
    });
  });

  it.each([
    [own('title: x'), '4:7: the policy payroll has no condition'],
    [own('any_of: [SSN]\nall_of: [SSN]'), '4:7: the policy payroll has both any_of and all_of'],
    [own('any_of: []'), '4:15: any_of is empty'],
    [own('combinations: [[]]'), '4:22: an item of combinations is empty'],
    [own('any_of: [SSSN]'), "4:16: unknown detector 'SSSN' | did you mean SSN?"],
    [own('any_of: ["pack:pcj"]'), "unknown detector 'pack:pcj' | did you mean pack:pci"],
    [own('any_of: [{ detector: SSN, all_of: [SSN] }]'), 'a condition has both detector and all_of'],
    [own('any_of: [SSN]\nmin_confidence: 3'), '5:23: min_confidence is 3'],
    [own('anyof: [SSN]'), "4:7: the policy payroll cannot have a key 'anyof' | did you mean any_of?"],
    ['policies:\n  own:\n    hipaa: { any_of: [SSN] }', '3:5: a policy hipaa already exists'],
    ['policies:\n  own:\n    "a b": { any_of: [SSN] }', "3:5: 'a b' is no name of a policy"],
  ])('%j is an error that says where', (text, message) => {
    let reported = '';
    try {
      read(text);
    } catch (error) {
      const { message, hint } = error as { message: string; hint: string };
      reported = `${message} | ${hint}`;
    }
    expect(reported).toContain(`rules.yaml:`);
    expect(reported).toContain(message);
  });
});
