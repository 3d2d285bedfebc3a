import { nipChecks } from '../../checks/poland.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const plNip: Detector = formattedId({
  id: 'PL_NIP',
  title: 'Polish tax number (NIP)',
  category: 'direct_identifier',
  country: 'PL',
  regulations: ['gdpr'],
  risk: 5,
  check: nipChecks,
  forms: [
    { pattern: String.raw`\d{3}-\d{3}-\d\d-\d\d` },
    { pattern: String.raw`\d{3}-\d\d-\d\d-\d{3}` },
    { pattern: String.raw`[1-9]\d{9}` },
  ],
  context: { words: ['nip', 'identyfikacji podatkowej'] },
  examples: {
    match: [
      { text: 'NIP: 8567346215', value: '8567346215' },
      { text: 'NIP 123-456-32-18', value: '123-456-32-18' },
      { text: '5261040828', field: 'nip' },
    ],
    not: ['8567346215', '123-456-32-18', 'NIP 8567346216', 'NIP 85673462150'],
  },
});
