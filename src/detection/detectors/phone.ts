import { byteSet, COLON, isAlnum, isDigit, runEnd, SPACE, standsAlone, textOf } from '../bytes.ts';
import { type Detector, found, type Match } from '../detector.ts';
import { maskMiddle } from '../masks.ts';
import { REASON } from '../reasons.ts';

const WRITTEN = byteSet('09  --..(())++');
const JOINS = byteSet('-/'); // - . /
const LONGEST = 28;
const PLUS = 0x2b;
const OPEN = 0x28;
const CLOSE = 0x29;
/** Sticky on a slice of at most 28 bytes: area and exchange begin with 2–9, and end in 11 only for services. */
const NANP = /^(?:(?:\+?1|001)[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d([ .-]))(?!.11)[2-9]\d\d[ .-]\d{4}/;
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
    { kind: 'token', made: ['d'], length: [2, 5], next: '-. ' },
    { kind: 'token', made: ['d'], length: [1, 1], next: '-. ' },
    { kind: 'token', made: ['d'], length: [8, 11] },
    { kind: 'pair', byte: '(', next: '0123456789' },
    { kind: 'pair', byte: '+', next: '123456789' },
  ],
  confidence: 0.75,
  context: {
    words: [
      'phone',
      'telephone',
      'tel',
      'mobile',
      'cell',
      'fax',
      'call',
      'call(?:ed|ing)? me on',
      'contact',
      'desk',
      'sms',
      'text',
      'whatsapp',
      'dial',
      'registered',
      'messages to',
      'answering at',
      'hotline',
    ],
    avoid: ['order', 'invoice', 'tracking', 'version', 'account', 'isbn', 'serial', 'part', 'id'],
  },
  verify(bytes, at, match) {
    const before = bytes[at - 1]!;
    if (isAlnum(before) || before === PLUS || before === OPEN || !enoughDigits(bytes, at)) return false;
    const text = textOf(bytes, at, runEnd(bytes, at, LONGEST, WRITTEN));
    const international = text[0] === '+';
    const certain = (international ? INTERNATIONAL : NANP).exec(text);
    if (certain !== null) return accept(bytes, at, certain[0], international ? 0.85 : 0.75, false, match);
    const possible = international ? null : NATIONAL.exec(text);
    if (possible === null || DATE.test(text) || continuesNumber(bytes, at)) return false;
    return accept(bytes, at, possible[0], 0.65, true, match);
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
      '2024-01-15',
      '1.212.555',
      '4539-1488-0343-6467',
      { text: 'order 2125550142', field: 'order_id' },
      '+12',
      '212-555-01423',
    ],
  },
};

function accept(
  bytes: Buffer,
  at: number,
  text: string,
  confidence: number,
  bare: boolean,
  match: Match,
): boolean {
  const written = text.replace(/[ .\-(]+$/, '');
  const digits = written.replace(/\D/g, '').length;
  const number = at + written.length;
  const end = number + (EXTENSION.exec(textOf(bytes, number, number + 12))?.[0].length ?? 0);
  if (digits < 7 || digits > 15 || (written.includes('.') && digits < 9)) return false;
  if (!standsAlone(bytes, at, at) || isAlnum(bytes[end]!) || (JOINS[bytes[end]!] === 1 && isDigit(bytes[end + 1]!))) return false;
  match.confidence = confidence;
  match.needsContext = bare;
  return found(match, at, end, REASON.pattern);
}

/** Cheap and first, since the pass stops here at every group of digits of every date and time. */
function enoughDigits(bytes: Buffer, at: number): boolean {
  let digits = 0;
  for (let i = at; i < at + LONGEST && WRITTEN[bytes[i]!] === 1; i++) if (isDigit(bytes[i]!)) digits++;
  return digits >= 7;
}

/** A guess must begin at the first group of its number. */
function continuesNumber(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1]!;
  const joins = before === SPACE || before === CLOSE || before === 0x2f || before === COLON;
  return joins && (isDigit(bytes[at - 2]!) || bytes[at - 2] === CLOSE);
}
