import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

const UNUSED = /^(?:00|0[7-9]|1[7-9]|2[89]|49|69|70|78|79|89|96|97)/;

function issuedPrefix(digits: string): boolean {
  return !UNUSED.test(digits);
}

/** The first two digits identify the issuing office; seventeen pairs were never used. */
export const usEin: Detector = formattedId({
  id: 'US_EIN',
  title: 'US employer number',
  category: 'quasi_identifier',
  country: 'US',
  regulations: ['glba'],
  risk: 4,
  forms: [{ pattern: String.raw`\d{2}-\d{7}` }, { pattern: String.raw`\d{9}` }],
  plausible: issuedPrefix,
  context: {
    words: [
      'ein',
      'fein',
      'employer id',
      'employer identification',
      'employer identification number',
      'federal tax id',
      'tax id',
    ],
  },
  examples: {
    match: [
      { text: 'EIN: 12-3456789', value: '12-3456789' },
      { text: 'Employer identification number 94-2404110', value: '94-2404110' },
      { text: '200182736', field: 'company_ein' },
    ],
    not: ['12-3456789', 'EIN 07-3456789', 'EIN 12-345678', 'EIN 12-34567890', 'EIN 78-3456789'],
  },
});
