import { colombiaNitChecks } from '../../checks/spanish-america.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const coNit: Detector = formattedId({
  id: 'CO_NIT',
  title: 'Colombian tax number (NIT)',
  category: 'direct_identifier',
  country: 'CO',
  regulations: ['gdpr', 'ccpa', 'glba'],
  risk: 4,
  forms: [
    { pattern: String.raw`\d{3}\.\d{3}\.\d{3}-\d` },
    { pattern: String.raw`\d{9}-\d` },
    { pattern: String.raw`\d{10}` },
  ],
  check: colombiaNitChecks,
  context: { words: ['nit', 'identificacion tributaria', 'identificación'] },
  examples: {
    match: [
      { text: 'NIT: 900.373.115-3', value: '900.373.115-3' },
      { text: 'Nit 860002964-4', value: '860002964-4' },
      { text: '8001972684', field: 'nit' },
    ],
    not: ['900.373.115-3', 'NIT 900.373.115-4', '8001972684', 'NIT 860002964-5', 'NIT 9900.373.115-3'],
  },
});
