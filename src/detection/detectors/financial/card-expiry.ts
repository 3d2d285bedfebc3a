import { standsAlone, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const SHAPE = /^(?:0[1-9]|1[0-2]) ?[/-] ?(?:20)?([1-4]\d)/;
/** "expires 12/25" may refer to anything, so a word for a card must be near. */
const OF_A_CARD =
  /card|visa|amex|master|maestro|american express|discover|cvv|cvc|csc|security code|thru|\bcc\b|\bpan\b|\d{4}[ -]?\d{4}[ -]?\d{4}|(?:\d|\*|x|•){4}[ -](?:\d|\*|x|•){4}/i;
const NEAR = 96;

export const cardExpiry: Detector = {
  id: 'CARD_EXPIRY',
  title: 'Card expiry date',
  category: 'financial',
  strength: 'context',
  regulations: ['pci'],
  risk: 4,
  prefilters: [{ pattern: String.raw`\b[01]\d ?[/-] ?\d{2}`, labelled: true }],
  confidence: 0.7,
  context: {
    words: [
      'exp',
      'exp date',
      'expiry',
      'expiry date',
      'expires',
      'expiration',
      'expiration date',
      'valid thru',
      'valid through',
      'good thru',
      'card expiry',
      'card expiration',
      'valid until',
      'ablaufdatum',
      'caducidad',
    ],
  },
  verify(bytes, at, match) {
    const written = SHAPE.exec(textOf(bytes, at, at + 12))?.[0];
    if (written === undefined) return rejectMatch(match, 'form');
    const end = at + written.length;
    // 12/25/2026 is a day.
    if (!standsAlone(bytes, at, end) || bytes[end] === 0x2f || bytes[at - 1] === 0x2f)
      return rejectMatch(match, 'stands alone');
    if (!match.hasLabel(at)) return rejectMatch(match, 'label');
    const around = `${textOf(bytes, at - NEAR, at)} ${textOf(bytes, end, end + NEAR)}`;
    const named = (match.reasons & REASON.fieldName) !== 0;
    if (!named && !OF_A_CARD.test(around)) return rejectMatch(match, 'a card near it');
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 0, 0),
  examples: {
    match: [
      { text: 'Visa 4539 1488 0343 6467 exp 09/27', value: '09/27' },
      { text: 'Card expiry: 11/2028', value: '11/2028' },
      { text: 'VALID THRU 03/29', value: '03/29' },
      { text: '05/28', field: 'cc_exp_date' },
    ],
    not: [
      '09/27',
      'card expiry 13/27',
      'card expires 12/25/2026',
      'the milk expires 12/25',
      'card expires 2026-12-25',
    ],
  },
};
