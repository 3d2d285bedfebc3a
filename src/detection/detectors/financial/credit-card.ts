import { DASH, isAlnum, isDigit, SPACE, standsAlone } from '../../bytes.ts';
import { cardBrand, isTestCard } from '../../checks/card.ts';
import { luhn } from '../../checks/luhn.ts';
import { type Detector, found, type Match, refused } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/** How card numbers are grouped on plastic; any other grouping is some other number. */
const GROUPINGS = new Set(['4444', '465', '464', '44443', '4442']);
const TEST_CONFIDENCE = 0.6;

export const creditCard: Detector = {
  id: 'CREDIT_CARD',
  title: 'Payment card number (of any of nineteen brands: checks/card.ts)',
  category: 'financial',
  standing: 'checked',
  regulations: ['pci', 'glba', 'gdpr', 'ccpa'],
  risk: 10,
  anchors: [
    { pattern: String.raw`\b\d{12,19}\b` },
    { pattern: String.raw`\b\d{4}[ -]\d{4}[ -]\d{4}` },
    { pattern: String.raw`\b\d{4}[ -]\d{6}[ -]\d{4}` },
  ],
  confidence: 0.8,
  context: {
    words: [
      'card',
      'credit',
      'debit',
      'visa',
      'mastercard',
      'amex',
      'american express',
      'discover',
      'pan',
      'cc',
      'payment',
      'maestro',
      'unionpay',
      'rupay',
      'kreditkarte',
      'carte',
      'tarjeta',
    ],
    avoid: [
      'tracking',
      'order',
      'invoice',
      'shipment',
      'parcel',
      'imei',
      'isbn',
      'ean',
      'uuid',
      'guid',
      'serial',
      'timestamp',
      'snowflake',
      'awb',
      'waybill',
      'shipping label',
    ],
  },
  verify(bytes, at, match) {
    const separator = bytes[at + 4]!;
    return separator === SPACE || separator === DASH
      ? grouped(bytes, at, separator, match)
      : compact(bytes, at, match);
  },
  mask: (value) => maskMiddle(value, 4, 4),
  examples: {
    match: [
      '4539 1488 0343 6467',
      '4539-1488-0343-6467',
      { text: 'paid with 5425233430109903 today', value: '5425233430109903' },
      '3714 496353 98431',
      '4111 1111 1111 1111',
      { text: 'UnionPay card 6221558812340013', value: '6221558812340013' },
      { text: 'Maestro 6759649826438453', value: '6759649826438453' },
    ],
    not: [
      '4539 1488 0343 6468',
      '4539-1488 0343-6467',
      '94539148803436467',
      '0.4539148803436467',
      '1234-4539-1488-0343-6467',
      'a4539148-8034-3646-7453-914880343646',
      { text: 'tracking number 5425233430109903 ', field: 'tracking' },
      '1Z4539148803436467',
      '6759649826438453',
      'message 622155881234001300',
    ],
  },
};

function compact(bytes: Buffer, at: number, match: Match): boolean {
  let digits = '';
  let end = at;
  while (end < at + 20 && isDigit(bytes[end]!)) digits += bytes[end++]! - 48;
  if (!standsAlone(bytes, at, end)) return refused(match, 'stands alone');
  return accept(digits, at, end, false, match);
}

function grouped(bytes: Buffer, at: number, separator: number, match: Match): boolean {
  // Years and dates come by here by the thousand.
  if (!isDigit(bytes[at + 5]!) || !isDigit(bytes[at + 7]!)) return false;
  let digits = '';
  let grouping = '';
  let end = at;
  for (let i = at; ; ) {
    const from = i;
    while (i < from + 7 && isDigit(bytes[i]!)) digits += bytes[i++]! - 48;
    if (i === from) break;
    grouping += i - from;
    end = i;
    if (grouping.length === 6 || bytes[i] !== separator) break;
    i++;
  }
  if (!GROUPINGS.has(grouping)) {
    // Blanks may simply be followed by the next number: an expiry date, an amount.
    if (separator !== SPACE || !grouping.startsWith('4444')) return refused(match, 'grouping');
    digits = digits.slice(0, 16);
    end = at + 19;
  }
  if (isAlnum(bytes[at - 1]!) || isAlnum(bytes[end]!) || continues(bytes, at, end, separator))
    return refused(match, 'stands alone');
  return accept(digits, at, end, true, match);
}

function continues(bytes: Buffer, start: number, end: number, separator: number): boolean {
  if (separator === DASH) return !standsAlone(bytes, start, end);
  // "1234 4111 1111 …": a group of four before the first one makes it a longer number.
  return (
    bytes[start - 1] === SPACE &&
    [2, 3, 4, 5].every((n) => isDigit(bytes[start - n]!)) &&
    !isDigit(bytes[start - 6]!)
  );
}

function accept(digits: string, start: number, end: number, written: boolean, match: Match): boolean {
  if (!luhn(digits)) return refused(match, 'check digit');
  const brand = cardBrand(digits);
  if (brand === null) return refused(match, 'brand');
  // Nothing but a card is written in such groups.
  if (brand.rare && !written && !match.labelled(start)) return refused(match, 'label');
  if (isTestCard(digits)) {
    match.confidence = TEST_CONFIDENCE;
    match.reasons |= REASON.testValue;
  } else if (written) match.confidence = 0.9;
  return found(match, start, end, REASON.pattern | REASON.checksum | REASON.issuer);
}
