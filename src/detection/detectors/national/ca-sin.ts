import { sinChecks } from '../../checks/canada.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const caSin: Detector = formattedId({
  id: 'CA_SIN',
  title: 'Canadian social insurance number',
  category: 'direct_identifier',
  country: 'CA',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 9,
  forms: [
    { pattern: String.raw`\d{3}-\d{3}-\d{3}` },
    { pattern: String.raw`\d{3} \d{3} \d{3}` },
    { pattern: String.raw`\d{9}` },
  ],
  check: sinChecks,
  context: { words: ['sin', 'social insurance', 'social insurance number', 'assurance sociale'] },
  examples: {
    match: [
      { text: 'SIN: 518 204 730', value: '518 204 730' },
      { text: 'social insurance number 293-847-166', value: '293-847-166' },
      { text: '713849206', field: 'sin' },
    ],
    not: ['518 204 730', '293-847-166', 'SIN: 518 204 731', 'SIN: 046 454 286', 'SIN 518 204 7300'],
  },
});
