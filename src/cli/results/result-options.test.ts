import { describe, expect, it } from 'vitest';
import { SAMPLE } from '../output/sample-report.ts';
import { failOnOf, mustFail } from './result-options.ts';

const known = { types: ['SSN', 'CREDIT_CARD', 'BADGE'], policies: ['hipaa', 'pci_dss', 'payroll'] };
const failOn = (...words: string[]) => failOnOf({ failOn: words }, () => known);

describe('--fail-on', () => {
  it('knows tiers, types and policies, in any case, several at once', () => {
    expect(failOn('high,ssn', 'PCI_DSS')).toEqual({ tiers: ['HIGH'], types: ['SSN'], policies: ['pci_dss'] });
  });

  it('does not load the rules if only tiers are named', () => {
    const fail = () => {
      throw new Error('asked for the rules');
    };
    expect(failOnOf({ failOn: ['LOW'] }, fail)).toEqual({ tiers: ['LOW'], types: [], policies: [] });
    expect(failOnOf({}, fail)).toEqual({ tiers: [], types: [], policies: [] });
  });

  it.each([
    ['SNN', 'did you mean SSN?'],
    ['hippa', 'did you mean hipaa?'],
    ['zzzzzzzz', 'Policies: hipaa, pci_dss, payroll.'],
  ])('refuses %s, and says what it could be', (word, hint) => {
    expect(() => failOn(word)).toThrow(
      expect.objectContaining({ kind: 'usage', hint: expect.stringContaining(hint) }),
    );
  });

  it.each([
    ['pci_dss', true],
    ['payroll', false],
    ['SSN', true],
    ['BADGE', false],
    ['CRITICAL', true],
  ])('%s fails on the sample: %s', (word, fails) => {
    expect(mustFail(SAMPLE, failOn(word))).toBe(fails);
  });
});
