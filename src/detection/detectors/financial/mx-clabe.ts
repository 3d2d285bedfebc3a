import { clabeChecks } from '../../checks/mexico.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const mxClabe: Detector = formattedId({
  id: 'MX_CLABE',
  title: 'Mexican bank account (CLABE)',
  category: 'financial',
  country: 'MX',
  regulations: ['glba', 'gdpr', 'ccpa'],
  risk: 8,
  confidence: 0.9,
  forms: [{ pattern: String.raw`\d{3} \d{3} \d{11} \d` }, { pattern: String.raw`\d{18}` }],
  check: clabeChecks,
  context: { words: ['clabe', 'cuenta clabe', 'clabe interbancaria', 'interbancaria'] },
  examples: {
    match: [
      { text: 'CLABE: 032180000118359719', value: '032180000118359719' },
      { text: 'clabe interbancaria 012 180 00123456789 9', value: '012 180 00123456789 9' },
      { text: '072580009876543211', field: 'clabe' },
    ],
    not: [
      '032180000118359719',
      'CLABE 032180000118359718',
      'CLABE 0321800001183597190',
      'CLABE 999180000118359719',
    ],
  },
});
