import { emiratesIdChecks } from '../../checks/national/middle-east-africa.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const unitedArabEmirates: readonly Detector[] = [
  formattedId({
    id: 'AE_EMIRATES_ID',
    title: 'Emirates identity number',
    category: 'direct_identifier',
    country: 'AE',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [
      { pattern: String.raw`784-\d{4}-\d{7}-\d`, free: true },
      { pattern: String.raw`784 \d{4} \d{7} \d` },
      { pattern: String.raw`784\d{12}` },
    ],
    check: emiratesIdChecks,
    context: { words: ['emirates id', 'eid', 'uae id', 'idn'] },
    examples: {
      match: [
        '784-1987-3029184-0',
        { text: 'Emirates ID: 784-1992-8374651-1', value: '784-1992-8374651-1' },
        { text: '784197902837463', field: 'emirates_id' },
      ],
      not: [
        '784-1987-3029184-1',
        '784197902837463',
        '784-1787-3029184-2',
        '785-1987-3029184-0',
        '1784-1987-3029184-0',
      ],
    },
  }),
];
