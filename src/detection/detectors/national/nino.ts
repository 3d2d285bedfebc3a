import { standsAlone, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/** The letters D F I Q U V are never first, O is never second, and some pairs are reserved. */
const SHAPE =
  /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?:\d{6}|( )\d\d \d\d \d\d )[A-D]$/;

export const nino: Detector = {
  id: 'NINO',
  title: 'UK National Insurance number',
  category: 'direct_identifier',
  strength: 'format',
  country: 'GB',
  regulations: ['gdpr'],
  risk: 9,
  prefilters: [
    { pattern: String.raw`\b[A-Z]{2}\d{6}[A-D]\b` },
    { pattern: String.raw`\b[A-Z]{2} \d{2} \d{2} \d{2} [A-D]\b` },
  ],
  confidence: 0.7,
  context: {
    words: [
      'national insurance',
      'national insurance no',
      'national insurance number',
      'nino',
      'ni number',
      'ni no',
    ],
    avoid: ['serial', 'part', 'sku', 'order', 'product'],
  },
  verify(bytes, at, match) {
    const end = bytes[at + 2] === 0x20 ? at + 13 : at + 9;
    if (!SHAPE.test(textOf(bytes, at, end))) return rejectMatch(match, 'form');
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 0, 2),
  examples: {
    match: ['AB123456C', 'AB 12 34 56 C', { text: 'NI number: JG103759A', value: 'JG103759A' }],
    not: ['QQ123456C', 'AB123456E', 'GB123456A', 'AB12 34 56 C', 'XAB123456C', 'AB1234567'],
  },
};
