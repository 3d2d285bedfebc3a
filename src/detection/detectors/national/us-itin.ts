import type { Detector } from '../../detector.ts';
import { formattedId } from '../../families/formatted-id.ts';
import { maskMiddle } from '../../masks.ts';

const GROUPS = /^\d{3}(?:5\d|6[0-5]|7\d|8[0-8]|9[0-2]|9[4-9])/;

function issuedGroup(digits: string): boolean {
  return GROUPS.test(digits);
}

/** Formatted like a social security number; begins with 9, and only some middle groups are issued. */
export const usItin: Detector = {
  ...formattedId({
    id: 'US_ITIN',
    title: 'US individual taxpayer number',
    category: 'direct_identifier',
    country: 'US',
    regulations: ['gdpr', 'ccpa', 'glba'],
    risk: 8,
    confidence: 0.8,
    forms: [
      { pattern: String.raw`9\d{2}-\d{2}-\d{4}`, free: true },
      { pattern: String.raw`9\d{2} \d{2} \d{4}` },
      { pattern: String.raw`9\d{8}` },
    ],
    plausible: issuedGroup,
    context: { words: ['itin', 'individual taxpayer', 'tax payer id', 'tin'] },
    mask: (value) => maskMiddle(value, 0, 4),
    examples: {
      match: [
        '912-78-4821',
        { text: 'ITIN: 934-85-1290.', value: '934-85-1290' },
        { text: '912784821', field: 'itin' },
      ],
      not: ['912-93-4821', '912-49-4821', '912784821', '812-78-4821', '912-78-48213', 'order 1912-78-4821'],
    },
  }),
  standing: 'formed',
};
