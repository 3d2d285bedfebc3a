import { COLON, isAlnum, isDigit, SPACE, standsAlone, textOf } from '../../bytes.ts';
import { acceptMatch, type Detector, type Match, rejectMatch } from '../../detector.ts';
import { isProse, isWithinProse, namesSomething } from '../../families/names/prose.ts';
import { REASON } from '../../reasons.ts';

const MONTHS =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?';
const DAY = '(?:3[01]|[12]\\d|0?[1-9])';
const FORMS = [
  /^(?:19|20)\d\d[-/.](?:0?[1-9]|1[0-2])[-/.](?:3[01]|[12]\d|0?[1-9])(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/,
  /^(?:3[01]|[12]\d|0?[1-9])[-/.](?:3[01]|[12]\d|0?[1-9])[-/.](?:(?:19|20)\d\d|\d\d)(?: \d\d?:\d\d(?::\d\d)?(?: ?[AP]M)?)?/,
  new RegExp(`^(?:${MONTHS})\\.? ${DAY}(?:st|nd|rd|th)?(?:,? (?:19|20)\\d\\d)?(?![\\d:])`),
  new RegExp(`^${DAY}(?:st|nd|rd|th)? (?:${MONTHS})\\.?(?:,? (?:19|20)\\d\\d)?(?!\\w)`),
  new RegExp(`^(?:${MONTHS}) (?:19|20)\\d\\d(?!\\d)`),
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?!\w)/,
];
const FORM = /[\0\n](?:Date|When|Datum|Fecha): $/;
/** In a sentence. */
const PROSE_CONFIDENCE = 0.5;
const YEAR = /^(?:in|of|since|during|In|Since|During|a|until|from) ((?:19|20)\d\d)(?![\w-]|[.,]\d)/;

/**
 * A date alone, a log timestamp or a table cell is not personal and is below the default threshold; a lower threshold includes them.
 * Reported are dates in sentences, in forms, and after a word for a person's treatment, service or death.
 */
export const dateTime: Detector = {
  id: 'DATE_TIME',
  title: 'Date or time',
  category: 'quasi_identifier',
  strength: 'heuristic',
  regulations: ['hipaa'],
  optional: true,
  risk: 1,
  prefilters: [
    { pattern: String.raw`\b(?:19|20)\d\d[-/.]\d` },
    { pattern: String.raw`\b\d{1,2}/\d{1,2}/\d\d` },
    { pattern: String.raw`\b\d{1,2}[-.]\d{1,2}[-.](?:19|20)\d\d` },
    { pattern: String.raw`\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z. ]` },
    { pattern: String.raw`\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day` },
    { pattern: String.raw`\b(?:in|of|since|during|In|Since|During|a|until|from) (?:19|20)\d\d` },
  ],
  confidence: 0.42,
  context: {
    words: [
      ...[
        'admission',
        'admitted',
        'admitted on',
        'admit date',
        'discharge',
        'discharged',
        'date of service',
        'date of death',
        'died',
      ],
      ...[
        'deceased',
        'appointment',
        'visit date',
        'surgery date',
        'diagnosed',
        'hire date',
        'hired',
        'wedding',
      ],
    ],
  },
  verify(bytes, at, match) {
    if (isAlnum(bytes[at - 1]!)) return rejectMatch(match, 'stands alone');
    const text = textOf(bytes, at, at + 40);
    const year = YEAR.exec(text);
    if (year !== null) return inYear(bytes, at + year[0].length, match);
    const written = FORMS.map((form) => form.exec(text)?.[0]).find((date) => date !== undefined);
    if (written === undefined) return rejectMatch(match, 'date');
    const end = at + written.length;
    if (isDigit(bytes[end]!) || !standsAlone(bytes, at, end)) return rejectMatch(match, 'stands alone');
    if (isWithinProse(bytes, at, end) || isFilledIn(bytes, at)) match.confidence = PROSE_CONFIDENCE;
    return acceptMatch(match, at, end, REASON.pattern);
  },
  mask: () => '••••-••-••',
  examples: {
    match: [
      { text: 'Admitted 2024-03-12', value: '2024-03-12' },
      { text: 'date of death: March 3, 2019', value: 'March 3, 2019' },
      { text: '03/12/2024', field: 'hire_date' },
      { text: 'they have lived there since 3/12/2004 or so', value: '3/12/2004' },
      { text: 'the mill that Hannah ran was closed in 1984 and sold', value: '1984' },
      { text: 'Date: 2024-03-12 10:30:00\nRoom: 7', value: '2024-03-12 10:30:00' },
    ],
    not: [
      '2024-13-45',
      '1.2.3',
      '99/99/2024',
      'Mayor',
      '12:30:45',
      '2024-01-15',
      'the mill was closed in 1984 and later it was sold',
      '2024-01-15 the server is started and listens',
    ],
  },
};

/** A year is personal only next to something or someone named. */
function inYear(bytes: Buffer, end: number, match: Match): true {
  const start = end - 4;
  if (isProse(bytes, start, end) && namesSomething(bytes, start, end)) match.confidence = PROSE_CONFIDENCE;
  return acceptMatch(match, start, end, REASON.pattern);
}

/** "Date: 2024-03-12" at the start of a line: a field of a form. */
function isFilledIn(bytes: Buffer, at: number): boolean {
  return bytes[at - 1] === SPACE && bytes[at - 2] === COLON && FORM.test(textOf(bytes, at - 9, at));
}
