/**
 * The built-in policies. They are hints for a review, not legal statements: regulations also depend on
 * purpose and consent, which no scanner sees.
 */
import type { Condition, Policy } from './policy.ts';

const one = (name: string, least: { minCount?: number; minConfidence?: number } = {}): Condition => ({
  one: name,
  ...least,
});
const anyOf = (...names: (string | Condition)[]): Condition => ({ anyOf: names.map(conditionOf) });
const allOf = (...names: (string | Condition)[]): Condition => ({ allOf: names.map(conditionOf) });

function conditionOf(name: string | Condition): Condition {
  return typeof name === 'string' ? one(name) : name;
}

/** Identifies a person. */
const PERSON = anyOf('category:direct_identifier', 'category:contact', 'DATE_DOB');
/** More than a signature or a header contains. */
const MANY = { minCount: 10 };

export const BUILTIN_POLICIES: readonly Policy[] = [
  {
    id: 'hipaa',
    title: 'Protected health information: health data of an identifiable person',
    when: anyOf(
      'MRN',
      'HEALTH_PLAN_ID',
      'MEDICARE_ID',
      'MEDICAID_ID',
      'HICN',
      allOf('category:health_info', PERSON),
    ),
    // A list of doctors, laboratories or medicines is no list of patients.
    excludeIfOnly: ['NPI', 'DEA', 'CLIA', 'NDC', 'UDI', 'NAME', 'category:contact'],
  },
  {
    id: 'pci_dss',
    title: 'Cardholder data: a card number that passes its checks, or magnetic stripe data',
    when: anyOf(one('CREDIT_CARD', { minConfidence: 0.6 }), 'TRACK_DATA'),
    excludeIfOnly: [],
  },
  {
    id: 'gdpr',
    title: 'Personal data: an identifier, health or financial data, a name with other data, or many contacts',
    when: anyOf(
      'category:direct_identifier',
      allOf(
        anyOf('category:health_info', 'category:financial'),
        anyOf('category:direct_identifier', 'DATE_DOB'),
      ),
      allOf('NAME', anyOf('category:contact', 'DATE_DOB')),
      one('category:contact', MANY),
    ),
    excludeIfOnly: ['NAME'],
  },
  {
    id: 'ccpa',
    title:
      'Personal information of consumers (CCPA, CPRA): sensitive identifiers, accounts with access, profiles',
    when: anyOf(
      'SSN',
      'US_ITIN',
      'DRIVER_LICENSE',
      'PASSPORT',
      'PASSPORT_MRZ',
      allOf('category:financial', 'category:credential'),
      allOf('NAME', anyOf('category:contact', 'DATE_DOB')),
      one('category:contact', MANY),
    ),
    excludeIfOnly: [],
  },
  {
    id: 'glba',
    title: 'Nonpublic personal information: financial data of an identifiable person',
    when: allOf('category:financial', PERSON),
    // The footer of a letter contains a bank's code and a telephone number, and a security has a name and a
    // contact address.
    excludeIfOnly: ['SWIFT_BIC', 'ISIN', 'CUSIP', 'SEDOL', 'FIGI', 'LEI', 'NAME', 'category:contact'],
  },
  {
    id: 'ferpa',
    title: 'Education records: names, birth dates or numbers, and contacts, as schools keep them together',
    when: allOf('NAME', anyOf('DATE_DOB', 'SSN'), 'category:contact'),
    excludeIfOnly: [],
  },
  {
    id: 'soc2',
    title: 'Confidential information: credentials, or many personal identifiers',
    when: anyOf('category:credential', one('category:direct_identifier', MANY)),
    excludeIfOnly: ['NAME'],
  },
  {
    id: 'credentials',
    title: 'Passwords, keys and tokens',
    when: one('category:credential', { minConfidence: 0.6 }),
    excludeIfOnly: [],
  },
];

export const BUILTIN_POLICY_NAMES: readonly string[] = BUILTIN_POLICIES.map(({ id }) => id);
