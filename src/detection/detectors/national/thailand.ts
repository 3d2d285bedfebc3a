import { thaiIdChecks } from '../../checks/national/south-asia.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const thailand: readonly Detector[] = [
  formattedId({
    id: 'TH_ID',
    title: 'Thai identity number',
    category: 'direct_identifier',
    country: 'TH',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`\d-\d{4}-\d{5}-\d{2}-\d`, free: true }, { pattern: String.raw`\d{13}` }],
    check: thaiIdChecks,
    context: { words: ['thai', 'thai id', 'national id', 'citizen id', 'id card', 'bat prachachon'] },
    examples: {
      match: [
        '1-1017-00230-70-8',
        { text: 'Thai ID: 1-2099-00482-71-5', value: '1-2099-00482-71-5' },
        { text: '3100600445635', field: 'citizen_id' },
      ],
      not: [
        '1-1017-00230-70-5',
        '3100600445635',
        'Thai ID 7100600445635',
        '11-1017-00230-70-8',
        '9-1017-00230-70-8',
      ],
    },
  }),
];
