import {
  byteSet,
  CLASS,
  DASH,
  DOT,
  isAlnum,
  isDigit,
  runEnd,
  SPACE,
  standsAlone,
  textOf,
} from '../../bytes.ts';
import { acceptMatch, type Detector, rejectMatch } from '../../detector.ts';
import { maskMiddle } from '../../masks.ts';
import { REASON } from '../../reasons.ts';

/** As they are written in English and its neighbours, in lower case. */
const MONTHS = Buffer.from(
  'jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|f[ée]v(?:rier)?|mar(?:ch|s|zo)?|märz|apr(?:il)?|avr(?:il)?|may|mai|maj|jun[ei]?|juin|jul[iy]?|juillet|aug(?:ust)?|août|ago(?:sto)?|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember)?|déc(?:embre)?|dic(?:iembre|embre)?|enero|febrero|abril|mayo|junio|julio|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|januari|februari|maart|mei',
).toString('latin1');
const WORDED = new RegExp(
  `^(?:(?:${MONTHS})\\.? \\d\\d?(?:st|nd|rd|th)?,? (\\d{4})|\\d\\d?(?:st|nd|rd|th|\\.)?(?: de)? (?:${MONTHS})\\.?,?(?: de)? (\\d{4}))(?!\\d)`,
  'i',
);

export const dateOfBirth: Detector = {
  id: 'DATE_DOB',
  title: 'Date of birth',
  category: 'quasi_identifier',
  strength: 'context',
  regulations: ['gdpr', 'ccpa', 'hipaa', 'glba', 'ferpa'],
  risk: 6,
  prefilters: [
    { pattern: String.raw`\b\d{1,2}[-/.]\d`, labelled: true },
    { pattern: String.raw`\b\d{4}[-/.]\d`, labelled: true },
    { pattern: String.raw`\b(?:19|20)\d{6}\b`, labelled: true },
    { pattern: String.raw`\b\d{1,2}\.? [A-Za-z]`, labelled: true },
    { pattern: String.raw`\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z. ]` },
  ],
  confidence: 0.85,
  context: {
    words: [
      ...[
        'dob',
        'd.o.b',
        'd.o.b.',
        'born',
        'born on',
        'birth',
        'birthday',
        'birth date',
        'date of birth',
        'bdate',
        'bday',
      ],
      ...[
        'geboren',
        'geburtsdatum',
        'geb',
        'né le',
        'née le',
        'date de naissance',
        'nacimiento',
        'nascimento',
      ],
      ...[
        'nato il',
        'nata il',
        'data di nascita',
        'geboortedatum',
        'syntymäaika',
        'födelsedatum',
        'fødselsdato',
      ],
    ],
  },
  verify(bytes, at, match) {
    const start = isDigit(bytes[at]!) ? at : dayBefore(bytes, at);
    const end = compactEnd(bytes, start) || numericEnd(bytes, start) || wordedEnd(bytes, start);
    if (end === 0) return rejectMatch(match, 'date');
    if (!standsAlone(bytes, start, end)) return rejectMatch(match, 'stands alone');
    return match.hasLabel(start)
      ? acceptMatch(match, start, end, REASON.pattern)
      : rejectMatch(match, 'label');
  },
  mask: (value) => maskMiddle(value, 0, 0),
  examples: {
    match: [
      { text: 'DOB: 1984-03-12', value: '1984-03-12' },
      { text: 'BDAY:19840312', value: '19840312' },
      { text: 'date of birth 03/12/1984', value: '03/12/1984' },
      { text: 'born on March 12, 1984 in', value: 'March 12, 1984' },
      { text: '12.03.1984', field: 'birthDate' },
      { text: 'Born 12 March 1984', value: '12 March 1984' },
      { text: 'nacimiento: 3 de enero de 1990', value: '3 de enero de 1990' },
      { text: 'geboren am 12. März 1984', value: '12. März 1984' },
    ],
    not: [
      '1984-03-12',
      '19840312',
      'DOB: 19841345',
      'DOB: 1984-13-45',
      'DOB: 2024-01-15T10:00:00Z',
      'DOB 1284-03-12',
      'born 32/32/1984',
    ],
  },
};

/**
 * Called for every number before a dot, dash or slash, so it works on bytes: year, month, day or day, month, year with the latter two in
 * any order, one separator; 0: no date. A date with a time of day is an event, not a birthday.
 */
function numericEnd(bytes: Buffer, at: number): number {
  if (isAlnum(bytes[at - 1]!) || bytes[at + 10] === 0x54) return 0;
  const first = digitsEnd(bytes, at);
  const separator = bytes[first]!;
  if (separator !== DASH && separator !== DOT && separator !== 0x2f) return 0;
  const second = digitsEnd(bytes, first + 1);
  if (bytes[second] !== separator) return 0;
  const end = digitsEnd(bytes, second + 1);
  const yearFirst = first - at === 4;
  const last = end - second - 1;
  if (second - first > 3 || (yearFirst ? last > 2 : first - at > 2 || (last !== 2 && last !== 4))) return 0;
  const a = yearFirst ? numberAt(bytes, second + 1, end) : numberAt(bytes, at, first);
  const b = numberAt(bytes, first + 1, second);
  const year = yearFirst ? numberAt(bytes, at, first) : numberAt(bytes, second + 1, end);
  if (a < 1 || b < 1 || Math.min(a, b) > 12 || Math.max(a, b) > 31) return 0;
  return plausible(!yearFirst && last === 2 ? 1900 + year : year) && !hasTime(bytes, end) ? end : 0;
}

/** 19840312: year, month and day without anything between them; 0: none. */
function compactEnd(bytes: Buffer, at: number): number {
  for (let i = at; i < at + 8; i++) if (!isDigit(bytes[i]!)) return 0;
  const [month, day] = [numberAt(bytes, at + 4, at + 6), numberAt(bytes, at + 6, at + 8)];
  if (isAlnum(bytes[at + 8]!) || month < 1 || month > 12 || day < 1 || day > 31) return 0;
  return plausible(numberAt(bytes, at, at + 4)) ? at + 8 : 0;
}

/** Of a run of four digits at most; a longer one ends where it does not matter any more. */
function digitsEnd(bytes: Buffer, from: number): number {
  let i = from;
  while (i < from + 5 && isDigit(bytes[i]!)) i++;
  return i;
}

/** No digits at all are 0, which is no day, no month and no year. */
function numberAt(bytes: Buffer, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + bytes[i]! - 48;
  return value;
}

function hasTime(bytes: Buffer, at: number): boolean {
  if ((bytes[at] !== SPACE && bytes[at] !== 0x54) || !isDigit(bytes[at + 1]!)) return false;
  const colon = isDigit(bytes[at + 2]!) ? at + 3 : at + 2;
  return bytes[colon] === 0x3a && isDigit(bytes[colon + 1]!);
}

/** "12 March", "3rd March": the start of the date if the day precedes its month. */
function dayBefore(bytes: Buffer, month: number): number {
  if (bytes[month - 1] !== SPACE || CLASS[bytes[month - 2]!] === 0) return month;
  const day = /(?:^|[^A-Za-z0-9])(\d\d?(?:st|nd|rd|th)? )$/.exec(textOf(bytes, month - 6, month))?.[1];
  return month - (day?.length ?? 0);
}

function wordedEnd(bytes: Buffer, start: number): number {
  if (!mayBeWorded(bytes, start)) return 0;
  const parts = WORDED.exec(textOf(bytes, start, start + 36));
  return parts !== null && plausible(Number(parts[1] ?? parts[2])) ? start + parts[0].length : 0;
}

/** "March 1", "12. M", "3rd M", "3 de e": tested by the first bytes, since it is called for every number before a word. */
function mayBeWorded(bytes: Buffer, start: number): boolean {
  if (isDigit(bytes[start]!)) {
    const blank = runEnd(bytes, start, 5, DAY);
    return bytes[blank] === SPACE && MONTH[bytes[blank + 1]!] === 1;
  }
  const end = runEnd(bytes, start, 16, LETTER);
  const blank = bytes[end] === DOT ? end + 1 : end;
  return bytes[blank] === SPACE && isDigit(bytes[blank + 1]!);
}

/** What a day is written with: 3, 12, 3., 3rd. */
const DAY = byteSet('09azAZ..');
const LETTER = byteSet('azAZ\x80\xff');
/** The first letters of all months, and of "de". */
const MONTH = byteSet('aaAAddDDeeEEffFFggGGjjJJllLLmmMMnnNNooOOssSS');

/** Fixed bounds: what is found must not depend on the day of the scan. */
function plausible(year: number): boolean {
  return year >= 1900 && year <= 2035;
}
