import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/ids/formatted-id.ts';

export const malta: readonly Detector[] = [
  formattedId({
    id: 'MT_ID_CARD',
    title: 'Maltese identity card number',
    category: 'direct_identifier',
    country: 'MT',
    regulations: ['gdpr'],
    risk: 8,
    confidence: 0.7,
    forms: [{ pattern: String.raw`\d{7}[MGAPLHBZ]` }],
    context: {
      words: [
        'maltese id',
        'malta id',
        'id card',
        'identity card',
        'karta tal-identità',
        'karta tal identita',
      ],
    },
    examples: {
      match: [
        { text: 'ID card no. 0482793M', value: '0482793M' },
        { text: 'Maltese ID: 0138465G', value: '0138465G' },
        { text: '0027184A', field: 'id_card' },
      ],
      not: ['0482793M', 'ID card 0482793C', 'ID card 048279M', 'ID card 10482793M'],
    },
  }),
];
