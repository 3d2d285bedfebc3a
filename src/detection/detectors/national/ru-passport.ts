import { russianPassportPlausible } from '../../checks/eastern.ts';
import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';
import { nativelyLabelled } from '../../families/native-label.ts';

/** Ten digits in a row that begin with 1 are more often a point in time. */
export const ruPassport: Detector = nativelyLabelled(
  ['паспорт', 'паспорт рф', 'паспорт серия'],
  formattedId({
    id: 'RU_PASSPORT',
    title: 'Russian passport number',
    category: 'direct_identifier',
    country: 'RU',
    regulations: ['gdpr'],
    risk: 8,
    confidence: 0.7,
    plausible: russianPassportPlausible,
    forms: [
      { pattern: String.raw`\d{4} \d{6}` },
      { pattern: String.raw`\d\d \d\d \d{6}` },
      { pattern: String.raw`(?:0[1-9]|[2-9]\d)\d{8}` },
    ],
    context: { words: ['passport', 'pasport'] },
    examples: {
      match: [
        { text: 'Паспорт: 4509 123487', value: '4509 123487' },
        { text: 'passport 4509 123487', value: '4509 123487' },
        { text: 'pasport: 40 07 283746', value: '40 07 283746' },
        { text: '4511203948', field: 'passport_number' },
      ],
      not: [
        '4509 123487',
        'passport 4562 123487',
        'passport 0009 123487',
        'passport 4509 111111',
        'passport 45091234870',
        'passport 1509123487',
      ],
    },
  }),
);
