import { DASH, standsAlone, textOf } from '../../bytes.ts';
import { mbiShaped } from '../../checks/health.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

export const medicareId: Detector = {
  id: 'MEDICARE_ID',
  title: 'US Medicare beneficiary identifier',
  category: 'health_info',
  strength: 'format',
  country: 'US',
  regulations: ['hipaa', 'ccpa'],
  risk: 9,
  prefilters: [
    { pattern: String.raw`\b[1-9][A-Z][A-Z0-9]\d[A-Z][A-Z0-9]\d[A-Z]{2}\d{2}\b` },
    { pattern: String.raw`\b[1-9][A-Z][A-Z0-9]\d-[A-Z][A-Z0-9]\d-[A-Z]{2}\d{2}\b` },
  ],
  confidence: 0.75,
  context: {
    words: ['medicare', 'mbi', 'beneficiary', 'medicare number'],
    avoid: ['serial', 'part', 'sku', 'order'],
  },
  verify(bytes, at, match) {
    const end = bytes[at + 4] === DASH ? at + 13 : at + 11;
    const written = textOf(bytes, at, end);
    if (end === at + 13 && written[8] !== '-') return rejectMatch(match, 'form');
    if (!mbiShaped(written.replaceAll('-', ''))) return rejectMatch(match, 'form');
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 0, 2),
  examples: {
    match: ['1EG4-TE5-MK73', '1EG4TE5MK73', { text: 'Medicare: 1EG4TE5MK73;', value: '1EG4TE5MK73' }],
    not: ['1EG4-TE5MK-73', '0EG4TE5MK73', '1SG4TE5MK73', '1EG4TE5MK733', 'X1EG4TE5MK73'],
  },
};
