import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';
import { maskMiddle } from '../../masks.ts';

export const usAtin: Detector = {
  ...formattedId({
    id: 'US_ATIN',
    title: 'US adoption taxpayer number',
    category: 'direct_identifier',
    country: 'US',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 8,
    confidence: 0.75,
    forms: [
      { pattern: String.raw`9\d{2}-93-\d{4}`, free: true },
      { pattern: String.raw`9\d{2} 93 \d{4}` },
      { pattern: String.raw`9\d{2}93\d{4}` },
    ],
    context: { words: ['atin', 'adoption taxpayer', 'tax payer id'] },
    mask: (value) => maskMiddle(value, 0, 4),
    examples: {
      match: [
        '912-93-4821',
        { text: 'ATIN 987-93-1204', value: '987-93-1204' },
        { text: '912934821', field: 'child_atin' },
      ],
      not: ['912-78-4821', '912934821', '812-93-4821', '912-93-48210'],
    },
  }),
  standing: 'formed',
};
