import { saudiIdChecks } from '../../checks/national/middle-east-africa.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const saudiArabia: readonly Detector[] = [
  formattedId({
    id: 'SA_ID',
    title: 'Saudi identity number (Iqama)',
    category: 'direct_identifier',
    country: 'SA',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`[12]\d{9}` }],
    check: saudiIdChecks,
    context: { words: ['iqama', 'saudi id', 'saudi national', 'national id', 'absher', 'residency number'] },
    examples: {
      match: [
        { text: 'Iqama: 2391827462', value: '2391827462' },
        { text: 'Saudi national ID 1083746527', value: '1083746527' },
        { text: '2000000006', field: 'iqama_number' },
      ],
      not: ['2391827462', 'Iqama 2391827463', 'Iqama 3391827462', 'Iqama 23918274620'],
    },
  }),
];
