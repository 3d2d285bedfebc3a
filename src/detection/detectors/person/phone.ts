import { beginsAt, byteSet, COLON, DASH, DOT, isAlnum, isDigit, runEnd, SPACE, textOf } from '../../bytes.ts';
import { isInNumberRow } from '../../checks/number-row.ts';
import { isInternationalNumber, isNationalNumber } from '../../checks/phone-number.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

const WRITTEN = byteSet('09  --..(())++//');
const JOINS = byteSet('  -/'); // blank - . /
const MAX_LENGTH = 28;
const MIN_DIGITS = 7; // digits
const MIN_DOTTED_DIGITS = 9; // fewer are a decimal number
const PLUS = 0x2b;
const OPEN = 0x28;
const CLOSE = 0x29;
/**
 * Matched on a slice of at most 28 bytes: area and exchange begin with 2–9, the exchange ends in 11 only for services, and separators are
 * not mixed: 252.227-7013 is a contract clause.
 */
const NANP =
  /^(?:(?:\+?1|001)[ .-]?)?(?:\([2-9]\d\d\) ?(?!.11)[2-9]\d\d[ .-]|[2-9]\d\d([ .-])(?!.11)[2-9]\d\d\1)\d{4}/;
const INTERNATIONAL = /^(?:\+|00)[1-9](?:[ .-]?(?:\(0\) ?)?\(?\d+\)?){1,6}/;
/** With a label: any groups of digits, in brackets or not. */
const NATIONAL =
  /^(?:\(\d{1,5}\) ?|\d{1,5}(?:[ ./-]\d{2,5}){0,1}[ ./-]?)\d{2,8}(?:[ .-]\d{2,5}){0,3}|^\d{7,12}/;
/** Written so in one country and hardly for anything else; the country's numbering plan must agree. */
const TYPICAL: readonly (readonly [RegExp, string])[] = [
  [/^0[1-9]([ .])\d\d(?:\1\d\d){3}(?!\d)/, 'FR'],
  [
    /^0\d{2} \d{4} \d{4}(?!\d)|^0\d{3} \d{3} \d{4}(?!\d)|^07\d{3} \d{6}(?!\d)|^07\d{3} \d{3} \d{3}(?!\d)/,
    'GB',
  ],
  [/^0\d\d \d{3} \d\d \d\d(?!\d)/, 'CH'],
  [/^04\d\d \d\d \d\d \d\d(?!\d)/, 'BE'],
  [/^04\d\d \d{3} \d{3}(?!\d)|^\(0[2378]\) \d{4} \d{4}(?!\d)/, 'AU'],
  [/^06[ -]\d{8}(?!\d)/, 'NL'],
  [/^07\d-\d{3} \d\d \d\d(?!\d)/, 'SE'],
  [/^0[1-9]\d{0,2}-\d{2,4}-\d{4}(?!\d)/, 'JP'],
  [/^\([1-9]\d\) ?9?\d{4}-\d{4}(?!\d)/, 'BR'],
];
const DUMPED = /^(?:[0-9a-f]{2} ){5}[0-9a-f]{2}(?![0-9a-z])/;
/** 555-0100 to 555-0199 are reserved for examples and films. */
const FICTIONAL = /^1?[2-9]\d\d55501\d\d$/;
/** Pairs that count up: an example of bytes. */
const COUNTED = /^01 02 03 04|^0?1 23 45 67/;
const EXTENSION = /^(?:,? ?(?:x|ext\.?|extension) ?|#)\d{1,5}(?!\d)/i;
const LABEL_HEAD = byteSet('ooOOffFFmmMMccCChhHHwwWWppPPttTTddDD');
const LABEL_AFTER = /^[ -]{1,2}\(?(?:office|fax|mobile|cell|home|work|phone|tel|direct|desk)\b/i;
const DATE =
  /^(?:(?:19|20)\d\d[-. /][01]?\d[-. /][0-3]?\d(?!\d)|[0-3]?\d[-. /][0-3]?\d[-. /](?:19|20)\d\d(?!\d))/;

export const phone: Detector = {
  id: 'PHONE',
  title: 'Telephone number',
  category: 'contact',
  strength: 'format',
  regulations: ['gdpr', 'ccpa', 'hipaa', 'glba', 'ferpa'],
  risk: 5,
  prefilters: [
    { pattern: String.raw`\b\d{3}[-. ]\d{3}[-. ]\d{4}\b` },
    { pattern: String.raw`\b0\d{1,4}[-. ]\d{2,4}[-. ]\d{2}` },
    { pattern: String.raw`\b0[67]\d{0,3}[- ]\d{6,8}\b` },
    { pattern: String.raw`\(\d{1,5}\) ?\d{3}` },
    { pattern: String.raw`\+[1-9][-. (\d]` },
    { pattern: String.raw`\b00[1-9]\d?[-. ]\d` },
    { pattern: String.raw`\b\d{2,4} \d{2,4}(?: \d{2,4}){0,2}[ -]\(?[A-Za-z]{2}` },
    { pattern: String.raw`\b\d\d-\d\d-\d\d-\d\d[ -][a-z]` },
    { pattern: String.raw`\b\d{1,5}[-. /]\d`, labelled: true },
    { pattern: String.raw`\b\d{7,12}\b`, labelled: true },
  ],
  confidence: 0.75,
  context: {
    words: [
      ...[
        'phone',
        'phone number',
        'telephone',
        'telefon',
        'tel',
        'téléphone',
        'telefono',
        'teléfono',
        'telefone',
      ],
      ...[
        'mobile',
        'mobil',
        'cell',
        'cell phone',
        'handy',
        'fax',
        'sms',
        'text me',
        'whatsapp',
        'hotline',
        'dial',
      ],
      ...['call', 'call me', 'call us', 'calling', 'reach me', 'reach us', 'reach him', 'reach her'],
      ...['contact no', 'contact number', 'contact at', 'desk', 'message to', 'messages to', 'answering at'],
      ...[
        'answering on',
        'registered mobile',
        'registered number',
        'work phone',
        'home phone',
        'msisdn',
        'office',
      ],
    ],
    avoid: [
      'order',
      'invoice',
      'tracking',
      'version',
      'account',
      'isbn',
      'serial',
      'part',
      'id',
      'card',
      'iban',
      'ssn',
    ],
  },
  verify(bytes, at, match) {
    const before = bytes[at - 1]!;
    if (isAlnum(before) || before === PLUS || before === OPEN) return rejectMatch(match, 'stands alone');
    const first = bytes[at]!;
    if (first === PLUS)
      return enoughDigits(bytes, at) ? international(bytes, at, match) : rejectMatch(match, 'too short');
    if (
      mayBeNanp(bytes, at, first) &&
      !(isInNumberRow(bytes, at) && !match.hasLabel(at)) &&
      read(bytes, countryCode(bytes, at), NANP, 0.75, match)
    )
      return true;
    if (
      bytes[at - 1] === 0x23 &&
      !/(?:phone|tel|fax|mobile|cell|handy|no|number)\.? ?#$/i.test(textOf(bytes, at - 12, at))
    )
      return rejectMatch(match, 'number of a report');
    if (!beginsAt(bytes, at) || continuesNumber(bytes, at) || !enoughDigits(bytes, at))
      return rejectMatch(match, 'form of a number');
    if (first === 0x30 && bytes[at + 1] === 0x30 && international(bytes, at, match)) return true;
    return typical(bytes, at, match) || national(bytes, at, match);
  },
  mask: (value) => maskMiddle(value, 0, value.replace(/\D/g, '').length >= 10 ? 4 : 2),
  examples: {
    match: [
      '(212) 555-0142',
      '212-555-0142',
      '+1 212 555 0142',
      '+44 20 7946 0958',
      '+41 (0)62 585 51 90',
      '0044 20 7946 0958',
      { text: 'Phone: 2125550142', value: '2125550142' },
      { text: 'call me on 020 7946 0958.', value: '020 7946 0958' },
      { text: 'au 01 42 68 53 00 demain', value: '01 42 68 53 00' },
      { text: '212-555-0142 x4587', value: '212-555-0142 x4587' },
      { text: '416 60 039 office', value: '416 60 039' },
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
      '+999 123 4567',
      '212-555-01423',
      '416 60 039 apples',
      '000-12-3456',
      'phone: 000-12-3456',
      '<Buffer 01 02 03 04 05 06 07>',
      '<Buffer 01 02 03 04 05>',
      'insert ( 10175 604 718 1474 e f )',
      '6179 790 0 750 751 2400 2401',
      '( 10319 1029 600 600 15 o 517 783 1970 )',
      'in __brk_call.  Closes: #1017113',
      'CA +4843-09434 America/Rainy_River',
      "Decimal('+35236450.6')",
    ],
  },
};

function international(bytes: Buffer, at: number, match: Match): boolean {
  const written = INTERNATIONAL.exec(textOf(bytes, at, runEnd(bytes, at, MAX_LENGTH, WRITTEN)))?.[0];
  if (written === undefined) return rejectMatch(match, 'form of a number');
  const digits = written.replace('(0)', '').replace(/\D/g, '');
  // Degrees and minutes: +4843-09434.
  if (/^\+\d{4}(?:\d\d)?-\d{5}(?:\d\d)?$/.test(written) || /\.\d$/.test(written))
    return rejectMatch(match, 'form of a number');
  const valid = isInternationalNumber(bytes[at] === PLUS ? digits : digits.slice(2));
  if (valid) return accept(bytes, at, written, 0.85, match);
  // An exchange that does not exist: accepted only with a label for a telephone number.
  if (!labelled(bytes, at, at + written.length, match)) return rejectMatch(match, 'numbering plan');
  return accept(bytes, at, written, 0.6, match);
}

function typical(bytes: Buffer, at: number, match: Match): boolean {
  const first = bytes[at]!;
  if (first !== 0x30 && first !== OPEN) return false;
  const text = textOf(bytes, at, at + MAX_LENGTH);
  // A dump of bytes: a0 01 02 03 04 05 06
  if (DUMPED.test(text) || COUNTED.test(text) || /[0-9a-f]{2} $/.test(textOf(bytes, at - 4, at)))
    return false;
  for (const [form, country] of TYPICAL) {
    const written = form.exec(text)?.[0];
    if (written !== undefined && isNationalNumber(dialled(written, country), country))
      return accept(bytes, at, written, 0.6, match);
  }
  return false;
}

function dialled(written: string, country: string): string {
  const digits = written.replace(/\D/g, '');
  return country === 'BR' ? `0${digits}` : digits;
}

function national(bytes: Buffer, at: number, match: Match): boolean {
  const end = runEnd(bytes, at, MAX_LENGTH, WRITTEN);
  // Most have no label, which is cheaper to test than the form, unless the byte after the number can begin a label of its own.
  if (end < at + MAX_LENGTH && LABEL_HEAD[bytes[end]!] === 0 && !match.hasLabel(at))
    return rejectMatch(match, 'label');
  const text = textOf(bytes, at, end);
  const written = NATIONAL.exec(text)?.[0].replace(/[ .\-(/]+$/, '');
  if (written === undefined || DATE.test(text)) return rejectMatch(match, 'form of a number');
  if (!labelled(bytes, at, at + written.length, match)) return rejectMatch(match, 'label');
  return accept(bytes, at, written, 0.65, match);
}

/** "Fax: 416 60 039" and "416 60 039 office". */
function labelled(bytes: Buffer, at: number, end: number, match: Match): boolean {
  return LABEL_AFTER.test(textOf(bytes, end, end + 12)) || match.hasLabel(at);
}

function read(bytes: Buffer, at: number, shape: RegExp, confidence: number, match: Match): boolean {
  const written = shape.exec(textOf(bytes, at, runEnd(bytes, at, MAX_LENGTH, WRITTEN)))?.[0];
  return written === undefined
    ? rejectMatch(match, 'numbering plan')
    : accept(bytes, at, written, confidence, match);
}

function accept(bytes: Buffer, at: number, text: string, confidence: number, match: Match): boolean {
  const written = text.replace(/[ .\-(]+$/, '');
  if (written.startsWith('000')) return rejectMatch(match, 'numbering plan');
  const digits = written.replace(/\D/g, '').length;
  const number = at + written.length;
  const end = number + (EXTENSION.exec(textOf(bytes, number, number + 18))?.[0].length ?? 0);
  if (digits < MIN_DIGITS || digits > 15 || (written.includes('.') && digits < MIN_DOTTED_DIGITS))
    return rejectMatch(match, 'number of digits');
  if (!beginsAt(bytes, at) || isAlnum(bytes[end]!)) return rejectMatch(match, 'stands alone');
  if (bytes[end] !== SPACE && JOINS[bytes[end]!] === 1 && isDigit(bytes[end + 1]!))
    return rejectMatch(match, 'stands alone');
  match.confidence = confidence;
  const fictional = FICTIONAL.test(written.replace(/\D/g, '')) ? REASON.documentationRange : 0;
  return acceptMatch(match, at, end, REASON.pattern | fictional);
}

/** A glance, since the pass stops at many groups of digits: "(…" or "ddd-ddd-dddd". */
function mayBeNanp(bytes: Buffer, at: number, first: number): boolean {
  if (first === OPEN) return enoughDigits(bytes, at);
  return (
    JOINS[bytes[at + 3]!] === 1 &&
    JOINS[bytes[at + 7]!] === 1 &&
    isDigit(bytes[at + 4]!) &&
    isDigit(bytes[at + 11]!)
  );
}

/** The start of the number if "1-" or "001-" precedes its area code. */
function countryCode(bytes: Buffer, at: number): number {
  if (JOINS[bytes[at - 1]!] === 0 || bytes[at - 2] !== 0x31) return at;
  const start = bytes[at - 3] === 0x30 && bytes[at - 4] === 0x30 ? at - 4 : at - 2;
  return beginsAt(bytes, start) && bytes[start - 1] !== PLUS ? start : at;
}

function enoughDigits(bytes: Buffer, at: number): boolean {
  let digits = 0;
  for (let i = at; i < at + MAX_LENGTH && WRITTEN[bytes[i]!] === 1; i++) if (isDigit(bytes[i]!)) digits++;
  return digits >= MIN_DIGITS;
}

/** A guess must begin at the first group of its number. */
function continuesNumber(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1]!;
  const joins =
    before === SPACE ||
    before === CLOSE ||
    before === 0x2f ||
    before === COLON ||
    before === DASH ||
    before === DOT;
  return joins && (isDigit(bytes[at - 2]!) || bytes[at - 2] === CLOSE);
}
