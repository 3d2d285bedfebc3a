import {
  byteSet,
  DASH,
  isAlnum,
  isDigit,
  runEnd,
  runStart,
  SPACE,
  standsAlone,
  textOf,
} from '../../bytes.ts';
import { brandOf, isTestCard } from '../../checks/card.ts';
import { isOneOfMany } from '../../checks/card-by-chance.ts';
import { luhnBytes } from '../../checks/check-digits.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/** How card numbers are grouped on plastic; any other grouping is some other number. */
const GROUPINGS = new Set([4444, 465, 464, 44443, 4442]);
const TEST_CONFIDENCE = 0.6;
/** A chance hit among many numbers. */
const CHANCE_CONFIDENCE = 0.3;

export const creditCard: Detector = {
  id: 'CREDIT_CARD',
  title: 'Payment card number (of any of nineteen brands: checks/card.ts)',
  category: 'financial',
  strength: 'checksum',
  regulations: ['pci', 'glba', 'gdpr', 'ccpa'],
  risk: 10,
  prefilters: [
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
      '5700 6000 6900 7200',
      '5837 5838 5839 5840 5841 5842 5844 5845 5846 5847',
      '3816 2400 2401 2911 2912 3816',
    ],
  },
};

function compact(bytes: Buffer, at: number, match: Match): boolean {
  const end = runEnd(bytes, at, 20, DIGITS);
  if (!standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
  return accept(bytes, at, end, end - at, false, match);
}

const DIGITS = byteSet('09');

function grouped(bytes: Buffer, at: number, separator: number, match: Match): boolean {
  // Cheap rejection of years and dates, which are very common.
  if (!isDigit(bytes[at + 5]!) || !isDigit(bytes[at + 7]!)) return rejectMatch(match, 'grouping');
  if (separator === SPACE && followsGroup(bytes, at)) return rejectMatch(match, 'stands alone');
  let digits = 0;
  let grouping = 0;
  let end = at;
  for (let groups = 1; ; groups++) {
    const from = groups === 1 ? at : end + 1;
    const to = runEnd(bytes, from, 7, DIGITS);
    if (to === from) break;
    digits += to - from;
    grouping = grouping * 10 + to - from;
    end = to;
    if (groups === 6 || bytes[to] !== separator) break;
  }
  if (!GROUPINGS.has(grouping)) {
    // Blanks may simply be followed by the next number: an expiry date, an amount.
    if (separator !== SPACE || !String(grouping).startsWith('4444')) return rejectMatch(match, 'grouping');
    digits = 16;
    end = at + 19;
  }
  if (isAlnum(bytes[at - 1]!) || isAlnum(bytes[end]!)) return rejectMatch(match, 'stands alone');
  if (separator === DASH && !standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
  return accept(bytes, at, end, digits, true, match);
}

/** "1234 4111 1111 …": a group of four before the first one makes it a longer number. */
function followsGroup(bytes: Buffer, start: number): boolean {
  return (
    bytes[start - 1] === SPACE &&
    runStart(bytes, start - 1, 4, DIGITS) === start - 5 &&
    !isDigit(bytes[start - 6]!)
  );
}

function accept(
  bytes: Buffer,
  start: number,
  end: number,
  count: number,
  written: boolean,
  match: Match,
): boolean {
  if (!luhnBytes(bytes, start, end)) return rejectMatch(match, 'check digit');
  const brand = brandOf(firstSix(bytes, start), count);
  if (brand === null) return rejectMatch(match, 'brand');
  // Nothing but a card is written in such groups.
  if (brand.rare && !written && !match.hasLabel(start)) return rejectMatch(match, 'label');
  if (isTestCard(digitsOf(bytes, start, end, count))) {
    match.confidence = TEST_CONFIDENCE;
    match.reasons |= REASON.testValue;
  } else if (isOneOfMany(bytes, start, end, written) && !match.hasLabel(start)) {
    match.confidence = CHANCE_CONFIDENCE;
    match.reasons |= REASON.otherMeaning;
  } else if (written) match.confidence = 0.9;
  return acceptMatch(match, start, end, REASON.pattern | REASON.checksum | REASON.issuer);
}

function firstSix(bytes: Buffer, start: number): number {
  let six = 0;
  for (let i = start, seen = 0; seen < 6 && i < start + 7; i++) {
    if (!isDigit(bytes[i]!)) continue;
    six = six * 10 + bytes[i]! - 48;
    seen++;
  }
  return six;
}

function digitsOf(bytes: Buffer, start: number, end: number, count: number): string {
  const text = textOf(bytes, start, end);
  return count === end - start ? text : text.replaceAll(text[4]!, '');
}
