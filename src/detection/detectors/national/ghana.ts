import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const ghana: readonly Detector[] = [
  formattedId({
    id: 'GH_GHANA_CARD',
    title: 'Ghanaian identity card',
    category: 'direct_identifier',
    country: 'GH',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    strength: 'prefix',
    confidence: 0.9,
    forms: [
      { pattern: String.raw`GHA-\d{9}-\d`, free: true },
      { pattern: String.raw`GHA\d{10}`, begins: COMPACT },
    ],
    context: { words: ['ghana card', 'ghana', 'nia', 'personal id'] },
    examples: {
      match: [
        'GHA-729384756-1',
        { text: 'Ghana card GHA-001938475-2', value: 'GHA-001938475-2' },
        { text: 'GHA7293847561', field: 'ghana_card' },
      ],
      not: ['GHA-72938475-1', 'GHA7293847561', 'XGHA-729384756-1', 'GHA-729384756-12'],
    },
  }),
];
