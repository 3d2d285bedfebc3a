import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';

export const ukSortCode: Detector = formattedId({
  id: 'UK_SORT_CODE',
  title: 'UK bank sort code',
  category: 'financial',
  country: 'GB',
  regulations: ['gdpr'],
  risk: 4,
  context: { words: ['sort code', 'sort', 'bank sort code', 'sortcode'] },
  forms: [
    { pattern: String.raw`\d{2}-\d{2}-\d{2}` },
    { pattern: String.raw`\d{2} \d{2} \d{2}` },
    { pattern: String.raw`\d{6}` },
  ],
  plausible: (plain) => plain !== '000000',
  examples: {
    match: [
      { text: 'Sort code: 20-00-00', value: '20-00-00' },
      { text: 'sort code 60 83 71', value: '60 83 71' },
      { text: '309089', field: 'sort_code' },
    ],
    not: [
      '20-00-00',
      'sort code 20-00-000',
      'sort code 00-00-00',
      'sorted by 20-00-00 date',
      'sort code 2000001',
    ],
  },
});
