import { isAlnum, isDigit, standsAlone, textOf } from '../bytes.ts';
import { type Detector, found } from '../detector.ts';
import { maskMiddle } from '../masks.ts';
import { REASON } from '../reasons.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?:${MONTHS.join('|')})[a-z]{0,6}\\.?`;
const NUMERIC = /^(?:(\d{4})([-/.])(\d\d?)\2(\d\d?)|(\d\d?)([-/.])(\d\d?)\6(\d{4}|\d\d))(?!\d)/;
const WORDED = new RegExp(
  `^(?:${MONTH} \\d\\d?(?:st|nd|rd|th)?,? (\\d{4})|\\d\\d?(?:st|nd|rd|th)? ${MONTH},? (\\d{4}))(?!\\d)`,
);

export const dateOfBirth: Detector = {
  id: 'DATE_DOB',
  title: 'Date of birth',
  category: 'quasi_identifier',
  anchors: [
    { kind: 'token', made: ['d'], length: [1, 2], next: '-/. ' },
    { kind: 'token', made: ['d'], length: [4, 4], next: '-/.' },
    ...MONTHS.map((text) => ({ kind: 'literal', text }) as const),
  ],
  confidence: 0.85,
  context: {
    words: ['dob', 'd\\.o\\.b\\.?', 'born', 'born on', 'birth', 'birth ?day', 'birth ?date', 'date of birth'],
  },
  verify(bytes, at, match) {
    if (!mayBeDate(bytes, at)) return false;
    const text = textOf(bytes, at, at + 24);
    const written = numericDate(text) ?? wordedDate(text);
    if (written === null || !standsAlone(bytes, at, at + written)) return false;
    match.needsContext = true;
    return found(match, at, at + written, REASON.pattern);
  },
  mask: (value) => maskMiddle(value, 0, 0),
  examples: {
    match: [
      { text: 'DOB: 1984-03-12', value: '1984-03-12' },
      { text: 'date of birth 03/12/1984', value: '03/12/1984' },
      { text: 'born on March 12, 1984 in', value: 'March 12, 1984' },
      { text: '12.03.1984', field: 'birthDate' },
      { text: 'Born 12 March 1984', value: '12 March 1984' },
    ],
    not: ['1984-03-12', 'DOB: 1984-13-45', 'DOB: 2024-01-15T10:00:00Z', 'DOB 1284-03-12', 'born 32/32/1984'],
  },
};

/** A glance, for every number and every word that begins like a month: a separator or a letter in the right place. */
function mayBeDate(bytes: Buffer, at: number): boolean {
  if (isAlnum(bytes[at - 1]!) || bytes[at - 1] === 0x3a) return false;
  if (!isDigit(bytes[at]!)) return true;
  for (let i = at + 1; i <= at + 4; i++) {
    const b = bytes[i]!;
    if (b === 0x20) return (bytes[i + 1]! & 0x60) === 0x40; // a month's capital letter
    if (!isDigit(b)) return isDigit(bytes[i + 1]!);
  }
  return false;
}

function numericDate(text: string): number | null {
  const parts = NUMERIC.exec(text);
  if (parts === null) return null;
  const year = yearOf(parts[1] ?? parts[8]!);
  const [a, b] = [Number(parts[3] ?? parts[5]), Number(parts[4] ?? parts[7])];
  const dayAndMonth = a >= 1 && b >= 1 && Math.min(a, b) <= 12 && Math.max(a, b) <= 31;
  // A date with a time of day is an event, not a birthday.
  return plausible(year) && dayAndMonth && !/^[T ]\d\d?:\d/.test(text.slice(parts[0].length))
    ? parts[0].length
    : null;
}

function wordedDate(text: string): number | null {
  const parts = WORDED.exec(text);
  return parts !== null && plausible(Number(parts[1] ?? parts[2])) ? parts[0].length : null;
}

function yearOf(text: string): number {
  return text.length === 2 ? 1900 + Number(text) : Number(text);
}

/** Fixed bounds: what is found must not depend on the day of the scan. */
function plausible(year: number): boolean {
  return year >= 1900 && year <= 2035;
}
