import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const kenya: readonly Detector[] = [
  formattedId({
    id: 'KE_KRA_PIN',
    title: 'Kenyan tax number (KRA PIN)',
    category: 'direct_identifier',
    country: 'KE',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 8,
    confidence: 0.85,
    forms: [{ pattern: String.raw`[AP]\d{9}[A-Z]`, begins: COMPACT }],
    context: { words: ['kra', 'kra pin', 'itax', 'pin', 'tax pin'] },
    examples: {
      match: [
        { text: 'KRA PIN: A001234567Z', value: 'A001234567Z' },
        { text: 'KRA P051283746Q', value: 'P051283746Q' },
        { text: 'A012938475K', field: 'kra_pin' },
      ],
      not: ['A001234567Z', 'KRA PIN A00123456Z', 'KRA PIN B001234567Z', 'KRA PIN A001234567ZZ'],
    },
  }),
];
