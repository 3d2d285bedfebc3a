import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const bangladesh: readonly Detector[] = [
  formattedId({
    id: 'BD_NID',
    title: 'Bangladeshi identity number',
    category: 'direct_identifier',
    country: 'BD',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.7,
    forms: [
      { pattern: String.raw`\d{10}` },
      { pattern: String.raw`\d{13}` },
      { pattern: String.raw`(?:19|20)\d{15}` },
    ],
    context: { words: ['nid', 'nid no', 'bangladesh nid', 'bangladesh national id'] },
    examples: {
      match: [
        { text: 'NID: 5829374610', value: '5829374610' },
        { text: 'Bangladesh NID 19852693849175038', value: '19852693849175038' },
        { text: '2693849175038', field: 'nid' },
      ],
      not: ['5829374610', 'NID 582937461', 'NID 58293746101', 'NID 58529384918273645'],
    },
  }),
];
