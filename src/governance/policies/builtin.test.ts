import { describe, expect, it } from 'vitest';
import { catalogue } from '../../detection/catalogue.ts';
import { BUILTIN_POLICIES } from './builtin.ts';
import { compilePolicies } from './evaluate.ts';

const evaluate = compilePolicies(BUILTIN_POLICIES, catalogue);

/**
 * The policies that match an object with these findings, written as NAME or NAME*COUNT or NAME@CONFIDENCE.
 */
function fired(...holds: string[]): string[] {
  const types = holds.map((text) => {
    const [, detector = '', count = '1', confidence = '0.9'] = /^(\w+)(?:\*(\d+))?(?:@([\d.]+))?$/.exec(
      text,
    )!;
    return { detector, count: Number(count), confidence: Number(confidence) };
  });
  return Object.keys(evaluate(types)).sort();
}

describe('the policies that come with Seine', () => {
  it.each<[string, string[], string[]]>([
    ['nothing', [], []],
    ['one address', ['EMAIL'], []],
    ['a log of IP addresses', ['IP_ADDRESS*500'], []],
    ['a name alone', ['NAME*3'], []],
    ['a contact', ['NAME', 'EMAIL'], ['ccpa', 'gdpr']],
    ['a mailing list', ['EMAIL*500'], ['ccpa', 'gdpr']],
    ['a patient', ['MRN', 'NAME'], ['gdpr', 'hipaa']],
    ['a doctor’s number alone', ['NPI'], []],
    ['a list of doctors', ['NPI*40', 'NAME*40', 'PHONE*5'], ['ccpa', 'gdpr']],
    ['the footer of a letter', ['SWIFT_BIC', 'PHONE'], []],
    ['a list of names', ['NAME*90'], []],
    ['a card', ['CREDIT_CARD'], ['pci_dss']],
    ['a card that may be none', ['CREDIT_CARD@0.5'], []],
    ['a customer with a card', ['CREDIT_CARD', 'NAME'], ['gdpr', 'glba', 'pci_dss']],
    ['a password', ['PASSWORD'], ['credentials', 'soc2']],
    ['something like a password', ['PASSWORD@0.5'], ['soc2']],
    ['a school’s list', ['NAME*30', 'DATE_DOB*30', 'EMAIL*30'], ['ccpa', 'ferpa', 'gdpr']],
  ])('on %s: %j → %j', (_, holds, policies) => {
    expect(fired(...holds)).toEqual(policies);
  });

  it('return the contributing findings', () => {
    const types = ['EMAIL', 'CREDIT_CARD', 'NAME'].map((detector) => ({
      detector,
      count: 2,
      confidence: 0.9,
    }));
    expect(evaluate(types)).toMatchObject({
      glba: ['EMAIL', 'CREDIT_CARD', 'NAME'],
      pci_dss: ['CREDIT_CARD'],
    });
  });
});
