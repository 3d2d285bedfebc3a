import { ssnIssuable } from '../../checks/ssn.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

/** Medicare's number until 2019: a social security number with a letter for the relation to the insured person. */
export const hicn: Detector = formattedId({
  id: 'HICN',
  title: 'US health insurance claim number (former Medicare number)',
  category: 'health_info',
  country: 'US',
  regulations: ['hipaa', 'ccpa'],
  risk: 10,
  confidence: 0.85,
  context: {
    words: [
      'hicn',
      'hic',
      'hic no',
      'hic number',
      'medicare',
      'medicare no',
      'medicare number',
      'medicare id',
      'health insurance claim',
      'claim number',
    ],
  },
  forms: [
    { pattern: String.raw`\d{3}-\d{2}-\d{4}-?(?:[ABCDEFTW][0-9A-Z]?|M1?|JA|KA)` },
    { pattern: String.raw`\d{9}(?:[ABCDEFTW][0-9A-Z]?|M1?|JA|KA)` },
  ],
  plausible: (plain) => ssnIssuable(plain.slice(0, 9)),
  examples: {
    match: [
      { text: 'HICN: 536-22-8741A', value: '536-22-8741A' },
      { text: 'Medicare number 536228741B1', value: '536228741B1' },
      { text: '536-22-8741-D', field: 'hic_number' },
    ],
    not: ['536228741A', 'HICN 666-22-8741A', 'HICN 536-22-8741', 'HICN 536-22-8741Z', 'HICN 536-22-8741A55'],
  },
});
