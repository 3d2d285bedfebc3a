import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const zimbabwe: readonly Detector[] = [
  formattedId({
    id: 'ZW_ID',
    title: 'Zimbabwean national number',
    category: 'direct_identifier',
    country: 'ZW',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d{2}-\d{6,7} ?[A-Z] ?\d{2}` }],
    context: { words: ['national id', 'id number', 'zimbabwe'] },
    examples: {
      match: [
        { text: 'National ID: 63-1234567 T 42', value: '63-1234567 T 42' },
        { text: 'Zimbabwe ID 08-762534D13', value: '08-762534D13' },
        { text: '29-2047182K07', field: 'zimbabwe_id' },
      ],
      not: [
        '63-1234567 T 42',
        'national id 63-12345 T 42',
        'national id 63-1234567 TT 42',
        'national id 63-1234567',
      ],
    },
  }),
];
