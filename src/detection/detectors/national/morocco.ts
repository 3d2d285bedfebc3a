import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const morocco: readonly Detector[] = [
  formattedId({
    id: 'MA_CIN',
    title: 'Moroccan identity card',
    category: 'direct_identifier',
    country: 'MA',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    forms: [{ pattern: String.raw`[A-Z]{1,2}\d{5,6}`, begins: COMPACT }],
    context: { words: ['cin', 'cnie', 'carte nationale'] },
    examples: {
      match: [
        { text: 'CIN: BE123456', value: 'BE123456' },
        { text: 'CNIE AB982736', value: 'AB982736' },
        { text: 'JC482917', field: 'cin' },
      ],
      not: ['BE123456', 'CIN BE1234', 'CIN ABC12345', 'CIN BE1234567'],
    },
  }),
];
