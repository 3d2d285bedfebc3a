import { isDigit, standsAlone } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { adjacentLabel } from '../../families/ids/adjacent-label.ts';
import { maskSecret } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const WORDS = [
  'cvv',
  'cvv2',
  'cvc',
  'cvc2',
  'cvn',
  'csc',
  'cav2',
  'card security code',
  'security code',
  'card verification',
  'card verification value',
  'card verification code',
  'card code',
];
const beside = adjacentLabel(WORDS);

/** Three or four digits: only an adjacent label identifies them. */
export const cardSecurityCode: Detector = {
  id: 'CARD_SECURITY_CODE',
  title: 'Card security code (CVV, CVC, CID)',
  category: 'financial',
  strength: 'context',
  regulations: ['pci', 'glba', 'ccpa'],
  risk: 9,
  prefilters: [{ pattern: String.raw`\b\d{3,4}\b`, labelled: true }],
  confidence: 0.8,
  context: { words: WORDS },
  verify(bytes, at, match) {
    let end = at;
    while (end < at + 5 && isDigit(bytes[end]!)) end++;
    if (end - at < 3 || end - at > 4) return rejectMatch(match, 'length');
    if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    if (!beside(bytes, at, end) || !match.hasLabel(at)) return rejectMatch(match, 'label');
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: (value) => maskSecret(value),
  examples: {
    match: [
      { text: 'CVV: 123', value: '123' },
      { text: '"cvc": "4821"', value: '4821' },
      { text: 'The security code is 907.', value: '907' },
      { text: '731', field: 'card_cvv2' },
    ],
    not: [
      '123',
      'CVV: 12',
      'CVV: 12345',
      'CVV must have 3 or 4 digits',
      'the CVV was declined 404 times',
      'error 123',
    ],
  },
};
