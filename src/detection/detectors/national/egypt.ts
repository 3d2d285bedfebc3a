import { egyptIdPlausible } from '../../checks/national/middle-east-africa.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const egypt: readonly Detector[] = [
  formattedId({
    id: 'EG_ID',
    title: 'Egyptian national number',
    category: 'direct_identifier',
    country: 'EG',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.8,
    forms: [{ pattern: String.raw`[23]\d{13}` }],
    plausible: egyptIdPlausible,
    context: { words: ['egypt', 'egyptian', 'national id', 'national id number', 'raqam qawmi'] },
    examples: {
      match: [
        { text: 'Egyptian national ID: 29003120112345', value: '29003120112345' },
        { text: 'National ID 30107152103847', value: '30107152103847' },
        { text: '28511021402938', field: 'national_id_number' },
      ],
      not: [
        '29003120112345',
        'national id 29013120112345',
        'national id 49003120112345',
        'national id 290031201123450',
        'national id 29003129912345',
      ],
    },
  }),
];
