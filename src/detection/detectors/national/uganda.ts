import type { Detector } from '../../detector.ts';
import { COMPACT, formattedId } from '../../families/ids/formatted-id.ts';

export const uganda: readonly Detector[] = [
  formattedId({
    id: 'UG_NIN',
    title: 'Ugandan national number',
    category: 'direct_identifier',
    country: 'UG',
    regulations: ['gdpr', 'ccpa'],
    risk: 9,
    confidence: 0.85,
    forms: [{ pattern: String.raw`C[MF]\d{2}[A-Z0-9]{10}`, begins: COMPACT }],
    context: { words: ['nin', 'nira', 'national id', 'uganda'] },
    examples: {
      match: [
        { text: 'NIN: CM85012345ABCD', value: 'CM85012345ABCD' },
        { text: 'NIRA CF93072310HKLM', value: 'CF93072310HKLM' },
        { text: 'CM7800192ATE5K', field: 'nin' },
      ],
      not: ['CM85012345ABCD', 'NIN CX85012345ABCD', 'NIN CM85012345ABC', 'NIN CM85012345ABCDE'],
    },
  }),
];
