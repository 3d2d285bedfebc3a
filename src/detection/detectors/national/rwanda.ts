import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const rwanda: readonly Detector[] = [
  formattedId({
    id: 'RW_ID',
    title: 'Rwandan national number',
    category: 'direct_identifier',
    country: 'RW',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [
      { pattern: String.raw`[123](?:19|20)\d{2}[78]\d{10}` },
      { pattern: String.raw`[123] (?:19|20)\d{2} [78] \d{7} \d \d{2}` },
    ],
    context: { words: ['rwanda', 'indangamuntu', 'national id', 'nid'] },
    examples: {
      match: [
        { text: 'National ID: 1198780012345678', value: '1198780012345678' },
        { text: 'Indangamuntu 1 1993 7 0048291 0 16', value: '1 1993 7 0048291 0 16' },
        { text: '1200170193847512', field: 'rwanda_id' },
      ],
      not: [
        '1198780012345678',
        'national id 4198780012345678',
        'national id 1188780012345678',
        'national id 11987800123456789',
      ],
    },
  }),
];
