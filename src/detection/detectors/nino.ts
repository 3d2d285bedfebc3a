import { standsAlone, textOf } from '../bytes.ts';
import { type Detector, found } from '../detector.ts';
import { maskMiddle } from '../masks.ts';
import { REASON } from '../reasons.ts';

/** The letters D F I Q U V never come first, O never second, and some pairs are kept for other purposes. */
const SHAPE =
  /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?:\d{6}|( )\d\d \d\d \d\d )[A-D]$/;

export const nino: Detector = {
  id: 'NINO',
  title: 'UK National Insurance number',
  category: 'direct_identifier',
  anchors: [
    { kind: 'token', made: ['Ud'], length: [9, 9] },
    { kind: 'token', made: ['U'], length: [2, 2], next: ' ', beyond: 'd' },
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
    if (!SHAPE.test(textOf(bytes, at, end)) || !standsAlone(bytes, at, end)) return false;
    return found(match, at, end, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 0, 2),
  examples: {
    match: ['AB123456C', 'AB 12 34 56 C', { text: 'NI number: JG103759A', value: 'JG103759A' }],
    not: ['QQ123456C', 'AB123456E', 'GB123456A', 'AB12 34 56 C', 'XAB123456C', 'AB1234567'],
  },
};
