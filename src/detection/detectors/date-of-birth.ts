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
    { kind: 'token', made: ['d'], length: [1, 2], next: '-/.', labelled: true },
    { kind: 'token', made: ['d'], length: [4, 4], next: '-/.', labelled: true },
    ...MONTHS.map((text) => ({ kind: 'literal', text, labelled: true }) as const),
  ],
  confidence: 0.85,
  context: {
    words: ['dob', 'd\\.o\\.b\\.?', 'born', 'born on', 'birth', 'birth ?day', 'birth ?date', 'date of birth'],
  },
  verify(bytes, at, match) {
    const numeric = isDigit(bytes[at]!);
    if (numeric && !mayBeDate(bytes, at)) return false;
    const start = numeric ? at : dayBefore(bytes, at);
    if (!match.labelled(start)) return false;
    const text = textOf(bytes, start, start + 28);
    const length = numeric ? numericDate(text) : wordedDate(text);
    if (length === null || !standsAlone(bytes, start, start + length)) return false;
    return found(match, start, start + length, REASON.pattern);
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

/** A glance, for every number before a dot, dash or slash. A date with a time of day is an event, not a birthday. */
function mayBeDate(bytes: Buffer, at: number): boolean {
  if (isAlnum(bytes[at - 1]!) || bytes[at + 10] === 0x54) return false;
  let i = at + 1;
  while (i < at + 4 && isDigit(bytes[i]!)) i++;
  const separator = bytes[i]!;
  return isDigit(bytes[i + 1]!) && (bytes[i + 2] === separator || bytes[i + 3] === separator);
}

/** "12 March", "3rd March": where the date begins if the day stands before its month. */
function dayBefore(bytes: Buffer, month: number): number {
  const day = /(?:^|[^A-Za-z0-9])(\d\d?(?:st|nd|rd|th)? )$/.exec(textOf(bytes, month - 6, month))?.[1];
  return month - (day?.length ?? 0);
}

function numericDate(text: string): number | null {
  const parts = NUMERIC.exec(text);
  if (parts === null) return null;
  const year = yearOf(parts[1] ?? parts[8]!);
  const [a, b] = [Number(parts[3] ?? parts[5]), Number(parts[4] ?? parts[7])];
  const dayAndMonth = a >= 1 && b >= 1 && Math.min(a, b) <= 12 && Math.max(a, b) <= 31;
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
