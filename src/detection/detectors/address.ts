import { CLASS, DASH, DIGIT, DOT, isAlnum, LOWER, SPACE, textOf, UPPER } from '../bytes.ts';
import { type Detector, found } from '../detector.ts';
import { maskInitials } from '../masks.ts';
import { REASON } from '../reasons.ts';

const KINDS =
  'Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Square|Sq|Terrace|Ter|Parkway|Pkwy|Circle|Cir|Highway|Hwy|Trail|Trl|Way';
const STREET = new RegExp(
  `^\\d{1,6} (?:(?:[NSEW]|North|South|East|West|NE|NW|SE|SW)\\.? )?(?:(?:[A-Z][a-z]+|\\d{1,3}(?:st|nd|rd|th)) ){1,4}?(?:${KINDS})\\b` +
    '(?:,? (?:Apt|Apartment|Suite|Ste|Unit|#)\\.? ?[A-Z0-9-]{1,6}\\b)?',
);

export const address: Detector = {
  id: 'ADDRESS',
  title: 'US street address',
  category: 'contact',
  anchors: [{ kind: 'token', made: ['d'], length: [1, 6], next: ' ', beyond: 'dU' }],
  confidence: 0.65,
  context: {
    words: [
      'address',
      'street',
      'lives at',
      'residence',
      'home',
      'ship(?:ping)? to',
      'billing',
      'resident',
      'deliver to',
    ],
  },
  verify(bytes, at, match) {
    if (!mayBeStreet(bytes, at)) return false;
    const text = STREET.exec(textOf(bytes, at, at + 80))?.[0];
    if (text === undefined) return false;
    const before = bytes[at - 1]!;
    if (isAlnum(before) || before === DOT || before === DASH || before === 0x2f || before === 0x3a)
      return false;
    return found(match, at, at + text.length, REASON.pattern);
  },
  mask: maskInitials,
  examples: {
    match: [
      '742 Evergreen Terrace',
      { text: 'lives at 1600 N. Pine Hill Rd, Springfield', value: '1600 N. Pine Hill Rd' },
      '350 5th Ave, Apt 4B',
    ],
    not: [
      '12 Monkeys Were Seen',
      '5 of the Street',
      'in 1999 Main results',
      '742 evergreen terrace',
      '10:30 Main Street',
    ],
  },
};

/** Most numbers before a blank are not houses: a capital letter and a small one, a point of the compass or "5th". */
function mayBeStreet(bytes: Buffer, at: number): boolean {
  let i = at + 1;
  while (i < at + 6 && bytes[i] !== SPACE) i++;
  const first = CLASS[bytes[i + 1]!]!;
  if (first === UPPER) {
    const second = bytes[i + 2]!;
    if (CLASS[second] === LOWER) return true;
    return second === DOT || second === SPACE || (CLASS[second] === UPPER && bytes[i + 3] === SPACE);
  }
  const ordinal = i + (CLASS[bytes[i + 2]!] === DIGIT ? 3 : 2);
  return first === DIGIT && (CLASS[bytes[ordinal]!] === LOWER || CLASS[bytes[ordinal + 1]!] === LOWER);
}
