import { beginsAt, byteSet, COLON, DASH, DOT, isAlnum, isDigit, runEnd, SPACE, textOf } from '../bytes.ts';
import { type Detector, found, type Match } from '../detector.ts';
import { maskMiddle } from '../masks.ts';
import { REASON } from '../reasons.ts';

const WRITTEN = byteSet('09  --..(())++');
const DIGITS = byteSet('09');
const JOINS = byteSet('  -/'); // blank - . /
const LONGEST = 28;
const FEWEST = 7; // digits
const FEWEST_DOTTED = 9; // fewer are a decimal number
const PLUS = 0x2b;
const OPEN = 0x28;
const CLOSE = 0x29;
/**
 * On a slice of at most 28 bytes: area and exchange begin with 2–9, the exchange ends in 11 only for services, and
 * nobody mixes separators: 252.227-7013 is a clause of a contract.
 */
const NANP =
  /^(?:(?:\+?1|001)[ .-]?)?(?:\([2-9]\d\d\) ?(?!.11)[2-9]\d\d[ .-]|[2-9]\d\d([ .-])(?!.11)[2-9]\d\d\1)\d{4}/;
const INTERNATIONAL =
  /^\+(?!1\d)[1-9](?:[ .-]?(?:\(0\) ?)?\(?\d+\)?){1,6}|^\+1[ .-]?\(?[2-9]\d\d\)?[ .-]?[2-9]\d\d[ .-]?\d{4}/;
const NATIONAL =
  /^(?:\(\d{2,5}\) ?|\d{2,5}(?:[ .-]\d{2,5}){0,1}[ .-]?)\d{2,8}(?:[ .-]\d{2,5}){0,3}|^\d{7,11}/;
const EXTENSION = /^ ?(?:x|ext\.?) ?\d{1,5}/i;
const DATE =
  /^(?:(?:19|20)\d\d[-. ][01]?\d[-. ][0-3]?\d(?!\d)|[0-3]?\d[-. ][0-3]?\d[-. ](?:19|20)\d\d(?!\d))/;

export const phone: Detector = {
  id: 'PHONE',
  title: 'Telephone number',
  category: 'contact',
  anchors: [
    { kind: 'token', made: ['d'], length: [3, 3], next: '-. ', beyond: 'd' },
    { kind: 'token', made: ['d'], length: [2, 5], next: '-. ', beyond: 'd', labelled: true },
    { kind: 'token', made: ['d'], length: [7, 11], labelled: true },
    { kind: 'pair', byte: '(', next: '0123456789' },
    { kind: 'pair', byte: '+', next: '123456789' },
  ],
  confidence: 0.75,
  context: {
    words: [
      'phone',
      'phone number',
      'telephone',
      'tel',
      'mobile',
      'cell',
      'fax',
      'call me',
      'call us',
      'call me (?:on|at)',
      'contact (?:no|number|at)',
      'desk',
      'sms',
      'whatsapp',
      'hotline',
      'dial',
    ],
    avoid: ['order', 'invoice', 'tracking', 'version', 'account', 'isbn', 'serial', 'part', 'id'],
  },
  verify(bytes, at, match) {
    const before = bytes[at - 1]!;
    if (isAlnum(before) || before === PLUS || before === OPEN) return false;
    const first = bytes[at]!;
    if (first === PLUS) return enoughDigits(bytes, at) && read(bytes, at, INTERNATIONAL, 0.85, match);
    if (mayBeNanp(bytes, at, first) && read(bytes, countryCode(bytes, at), NANP, 0.75, match)) return true;
    const inARow = runEnd(bytes, at, 7, DIGITS) - at;
    if (inARow < 7 && !mayBeGrouped(bytes, at, inARow)) return false;
    if (!beginsAt(bytes, at) || continuesNumber(bytes, at)) return false;
    return match.labelled(at) && read(bytes, at, NATIONAL, 0.65, match);
  },
  mask: (value) => maskMiddle(value, 0, value.replace(/\D/g, '').length >= 10 ? 4 : 2),
  examples: {
    match: [
      '(212) 555-0142',
      '212-555-0142',
      '+1 212 555 0142',
      '+44 20 7946 0958',
      '+41 (0)62 585 51 90',
      { text: 'Phone: 2125550142', value: '2125550142' },
      { text: 'call me on 020 7946 0958.', value: '020 7946 0958' },
      { text: '0487 98 11 92', field: 'mobile_phone' },
    ],
    not: [
      '2125550142',
      '112-555-0142',
      '212-155-0142',
      'clause 252.227-7013',
      '2024-01-15',
      '1.212.555',
      '4539-1488-0343-6467',
      { text: 'order 2125550142', field: 'order_id' },
      '+12',
      '212-555-01423',
    ],
  },
};

function read(bytes: Buffer, at: number, shape: RegExp, confidence: number, match: Match): boolean {
  const text = textOf(bytes, at, runEnd(bytes, at, LONGEST, WRITTEN));
  const parts = shape.exec(text);
  if (parts === null || (shape === NATIONAL && DATE.test(text))) return false;
  const written = parts[0].replace(/[ .\-(]+$/, '');
  const digits = written.replace(/\D/g, '').length;
  const number = at + written.length;
  const end = number + (EXTENSION.exec(textOf(bytes, number, number + 12))?.[0].length ?? 0);
  if (digits < FEWEST || digits > 15 || (written.includes('.') && digits < FEWEST_DOTTED)) return false;
  if (!beginsAt(bytes, at) || isAlnum(bytes[end]!)) return false;
  if (bytes[end] !== SPACE && JOINS[bytes[end]!] === 1 && isDigit(bytes[end + 1]!)) return false;
  match.confidence = confidence;
  return found(match, at, end, REASON.pattern);
}

/** A glance, since the pass stops at every group of digits of every date and time: "(…" or "ddd-ddd-dddd". */
function mayBeNanp(bytes: Buffer, at: number, first: number): boolean {
  if (first === OPEN) return enoughDigits(bytes, at);
  return (
    JOINS[bytes[at + 3]!] === 1 &&
    JOINS[bytes[at + 7]!] === 1 &&
    isDigit(bytes[at + 4]!) &&
    isDigit(bytes[at + 11]!)
  );
}

/** The same for the rest of the world: a group that another one follows, in brackets or not. Most are dates. */
function mayBeGrouped(bytes: Buffer, at: number, inARow: number): boolean {
  if (inARow > 0 && (!isDigit(bytes[at + inARow + 1]!) || isDay(bytes, at))) return false;
  return enoughDigits(bytes, at, bytes[at + inARow] === DOT ? FEWEST_DOTTED : FEWEST);
}

/** 2024-01-15: what DATE says of most dates, without making a text of them. */
function isDay(bytes: Buffer, at: number): boolean {
  if (bytes[at + 4] !== DASH || bytes[at + 7] !== DASH || isDigit(bytes[at + 10]!)) return false;
  const century = bytes[at]! * 10 + bytes[at + 1]! - 48 * 11;
  const month = bytes[at + 5]!;
  const day = bytes[at + 8]!;
  return (
    (century === 19 || century === 20) &&
    (month === 0x30 || month === 0x31) &&
    day >= 0x30 &&
    day <= 0x33 &&
    isDigit(bytes[at + 9]!)
  );
}

/** Where the number begins if "1-" or "001-" stands before its area code. */
function countryCode(bytes: Buffer, at: number): number {
  if (JOINS[bytes[at - 1]!] === 0 || bytes[at - 2] !== 0x31) return at;
  const start = bytes[at - 3] === 0x30 && bytes[at - 4] === 0x30 ? at - 4 : at - 2;
  return beginsAt(bytes, start) && bytes[start - 1] !== PLUS ? start : at;
}

function enoughDigits(bytes: Buffer, at: number, fewest = FEWEST): boolean {
  let digits = 0;
  for (let i = at; i < at + LONGEST && WRITTEN[bytes[i]!] === 1; i++) if (isDigit(bytes[i]!)) digits++;
  return digits >= fewest;
}

/** A guess must begin at the first group of its number. */
function continuesNumber(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1]!;
  const joins = before === SPACE || before === CLOSE || before === 0x2f || before === COLON;
  return joins && (isDigit(bytes[at - 2]!) || bytes[at - 2] === CLOSE);
}
