import { myNumberChecks } from '../../checks/japan-korea.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const jpMyNumber: Detector = formattedId({
  id: 'JP_MY_NUMBER',
  title: 'Japanese individual number (My Number)',
  category: 'direct_identifier',
  country: 'JP',
  regulations: ['gdpr', 'ccpa'],
  risk: 9,
  forms: [
    { pattern: String.raw`\d{4} \d{4} \d{4}` },
    { pattern: String.raw`\d{4}-\d{4}-\d{4}` },
    { pattern: String.raw`\d{12}` },
  ],
  check: myNumberChecks,
  context: { words: ['my number', 'individual number', 'kojin bango', 'mynumber'] },
  examples: {
    match: [
      { text: 'My Number: 4738 2910 5646', value: '4738 2910 5646' },
      { text: 'individual number 1234-5678-9018', value: '1234-5678-9018' },
      { text: '827364510928', field: 'my_number' },
    ],
    not: ['4738 2910 5646', 'My Number 4738 2910 5647', '827364510928', 'my number 8273645109280'],
  },
});
