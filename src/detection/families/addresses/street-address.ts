import { byteSet, CLASS, DASH, DOT, isDigit, runStart, SPACE, textOf, UPPER } from '../../bytes.ts';
import { EVERYDAY, kindOfWord } from '../../data/name-list.ts';
import { isCapital, wordStart } from '../names/person-name.ts';
import { localityEnd } from './locality.ts';
import { HAS_HOUSE, mayBeUnit, mayNameUnit, outlineAt, plainEnd, STREET } from './street-outline.ts';
import { CAPITAL_WORD, KINDS, LINKS, PREFIXES, SUFFIXES, UNITS } from './street-words.ts';

const HOUSE = String.raw`\d{1,5}(?:[-/]\d{1,4})?(?: ?[a-zA-Z]\b)?\.?`;
const NAME = `(?:${CAPITAL_WORD}|(?:${LINKS})|\\d{1,3}(?:st|nd|rd|th|TH|ST|ND|RD)|\\d{1,2}\\.)`;
const COMPASS = '(?:[NSEW]|NE|NW|SE|SW|North|South|East|West|N\\.E\\.|N\\.W\\.)\\.?';
/** Each is matched on a slice of 96 bytes, from the start of an address. */
const NUMBERED = new RegExp(
  `^\\d{1,6}[A-Za-z]?(?:[-/]\\d{1,4})?,? (?:${COMPASS} )?(?:${NAME} ){1,4}(?:${KINDS}|${upper(KINDS)})\\b\\.?(?: (?:${COMPASS})(?![A-Za-z]))?`,
);
const FRENCH = new RegExp(
  `^\\d{1,6}(?: ?(?:bis|ter))?,? (?:${PREFIXES}|${lower(PREFIXES)})\\.? (?:(?:${LINKS})[ -]?){0,3}(?:[a-z\\x80-\\xff]{3,}|${CAPITAL_WORD})(?:[ -]${CAPITAL_WORD}){0,3}(?: \\d{1,4}\\b)?`,
);
const PREFIXED = new RegExp(
  `^(?:\\d{1,6} )?(?:${PREFIXES})\\.? ?(?:${NAME} ){0,5}?${CAPITAL_WORD}(?:,| n[\\xba\\xb0.]?| N\\xba)? ${HOUSE}`,
);
const SUFFIXED = new RegExp(
  `^(?:\\d{1,6} )?(?:${CAPITAL_WORD}[ -]){0,3}?(?:[A-Z\\x80-\\xff][A-Za-z\\x80-\\xff'-]*)?(?:${SUFFIXES}|${title(SUFFIXES)})\\.? ${HOUSE}`,
);
const BOX =
  /^(?:P\.? ?O\.? ?Box|PO BOX|P\.O\.B\.|Post(?:al)? ?[Bb]ox|Postboks|Postfach|Postbus|Apartado(?: de Correos)?|Casilla|Caixa Postal|C\.P\.|BP|GPO Box|Locked Bag) ?#?\d{1,6}|^(?:PSC|Psc|psc|Unit|UNIT|unit|CMR) \d{3,5},? [Bb]ox \d{1,5}|^(?:USS|USNS|USNV|USCGC|HMS) [A-Z\x80-\xff][A-Za-z\x80-\xff]+(?=\s+[AFD]PO )/;
/** Forms that are an address only after a label: numbers and words. */
const PLAIN = new RegExp(
  `^(?:\\d{1,6} (?:${CAPITAL_WORD} ){0,4}${CAPITAL_WORD}(?: ${HOUSE})?|(?:${CAPITAL_WORD} ){0,3}${CAPITAL_WORD} ${HOUSE})(?![\\w])`,
);
const NOT_PLAIN = new RegExp(`^(?:\\d+ )?(?:${UNITS})\\b`);
const UNIT_PART = `(?:${UNITS})\\.? ?#?[A-Z0-9-]{1,6}\\b`;
const UNIT = new RegExp(`^(?:(?:,? |,?\\s+(?:[>?|]+ ?)?)${UNIT_PART}){1,2}`);
/** "12 High Street Camden, Flat 4": words between the street and the flat. */
const MORE = new RegExp(`^(?: ${CAPITAL_WORD}){1,3}(?=,?\\s+(?:${UNITS})\\.? ?#?[A-Z0-9-]{1,6}\\b)`);
const UNIT_BEFORE = new RegExp(`(?:^|\\s)((?:${UNITS})\\.? )$`);
const CORNER = /(?:\b[Tt]he )?\bcorner of $/;
const CROSSING = new RegExp(`^ and (?:(?:${NAME}) ){0,3}${CAPITAL_WORD}`);
const STREETS: readonly { readonly bit: number; readonly form: RegExp }[] = [
  { bit: STREET.numbered, form: NUMBERED },
  { bit: STREET.prefixed, form: PREFIXED },
  { bit: STREET.suffixed, form: SUFFIXED },
  { bit: STREET.french, form: FRENCH },
  { bit: STREET.box, form: BOX },
];
const MAX_LENGTH = 96;
const DIGITS = byteSet('09');

export interface StreetAddress {
  readonly start: number;
  readonly end: number;
  /** Requires a label. */
  readonly plain: boolean;
  /** Includes a town with its postal code or country. */
  readonly located: boolean;
}

/** Parses the address that contains `at`: the number, the first word or the suffix of a street, or a post box. */
export function parseAddress(bytes: Buffer, at: number): StreetAddress | null {
  const start = addressStart(bytes, at);
  const forms = outlineAt(bytes, start);
  const street = streetOf(bytes, start, forms);
  if (street > 0) return complete(bytes, withNumber(bytes, start), start + street, false);
  const plain = plainOf(bytes, start, forms);
  return plain > start ? complete(bytes, start, plain, true) : null;
}

function streetOf(bytes: Buffer, start: number, forms: number): number {
  if ((forms & ~HAS_HOUSE) === 0) return 0;
  const text = textOf(bytes, start, start + MAX_LENGTH);
  for (const { bit, form } of STREETS) {
    const length = (forms & bit) === 0 ? 0 : (form.exec(text)?.[0].trimEnd().length ?? 0);
    if (length > 0) return length;
  }
  return 0;
}

/** The end of the plain form, or 0. */
function plainOf(bytes: Buffer, start: number, forms: number): number {
  const numbered = isDigit(bytes[start]!);
  if (!numbered && (forms & HAS_HOUSE) === 0) return 0;
  const end = numbered ? plainEnd(bytes, start) : -1;
  if (end === 0) return 0;
  if (end > 0 && !mayBeUnit(bytes, start)) return end;
  const text = textOf(bytes, start, start + MAX_LENGTH);
  return NOT_PLAIN.test(text) ? 0 : start + (PLAIN.exec(text)?.[0].length ?? 0);
}

function complete(bytes: Buffer, start: number, street: number, plain: boolean): StreetAddress {
  const corner = cornerBefore(bytes, start);
  if (corner > 0) {
    const crossing = CROSSING.exec(textOf(bytes, street, street + MAX_LENGTH))?.[0].length ?? 0;
    return {
      start: start - corner,
      end: sentenceEnd(bytes, street + crossing),
      plain: false,
      located: false,
    };
  }
  const more = moreAfter(bytes, street);
  const unit = unitAfter(bytes, street + more);
  const rest = street + more + unit;
  // A number and words are an address only with a town on the next line or after a comma; nothing else is tested.
  const end = plain && unit === 0 && !goesOn(bytes[rest]!) ? rest : localityEnd(bytes, rest);
  const located = end > rest;
  return { start, end: sentenceEnd(bytes, end), plain: plain && unit === 0, located };
}

function cornerBefore(bytes: Buffer, start: number): number {
  if (bytes[start - 1] !== SPACE || bytes[start - 2] !== 0x66) return 0;
  return CORNER.exec(textOf(bytes, start - 16, start))?.[0].length ?? 0;
}

function moreAfter(bytes: Buffer, street: number): number {
  const first = bytes[street + 1]!;
  if (bytes[street] !== SPACE || (CLASS[first] !== UPPER && first < 0x80)) return 0;
  return MORE.exec(textOf(bytes, street, street + 60))?.[0].length ?? 0;
}

function unitAfter(bytes: Buffer, street: number): number {
  if (!mayNameUnit(bytes, street)) return 0;
  return UNIT.exec(textOf(bytes, street, street + 44))?.[0].length ?? 0;
}

function goesOn(byte: number): boolean {
  return byte === 0x2c || byte === 0x0a || byte === 0x0d;
}

/** "Király u. 15." includes its full stop only if the sentence continues. */
function sentenceEnd(bytes: Buffer, end: number): number {
  return bytes[end - 1] === DOT && bytes[end] === 0 ? end - 1 : end;
}

/** Walks back from the middle of "Brucker Bundesstrasse 31" to its first capitalised word. */
function addressStart(bytes: Buffer, at: number): number {
  if (isDigit(bytes[at]!)) return at;
  let start = wordStart(bytes, at);
  for (let words = 0; words < 3 && bytes[start - 1] === SPACE; words++) {
    const before = wordStart(bytes, start - 1);
    if (!isCapital(bytes, before) || before === start - 1) break;
    if ((kindOfWord(bytes, before, start - 1) & EVERYDAY) !== 0) break;
    start = before;
  }
  return start;
}

/** Includes leading numbers and flats: "3369 24 Clarke Avenue", "5049 Harjukuja 54", "Apt. 12 5049 Harjukuja 54". */
function withNumber(bytes: Buffer, start: number): number {
  let from = start;
  for (let numbers = 0; numbers < 2; numbers++) {
    if (bytes[from - 1] !== SPACE || !isDigit(bytes[from - 2]!)) break;
    const number = runStart(bytes, from - 1, 7, DIGITS);
    const before = bytes[number - 1]!;
    if (from - 1 - number > 6 || CLASS[before] !== 0 || before === DOT || before === DASH || before === 0x2f)
      break;
    const unit = UNIT_BEFORE.exec(textOf(bytes, number - 14, number))?.[1]?.length ?? 0;
    if (unit > 0) return number - unit;
    if (from !== start) break;
    from = number;
  }
  return from;
}

function upper(words: string): string {
  return words.toUpperCase();
}

function lower(words: string): string {
  return words.toLowerCase();
}

function title(words: string): string {
  return words.replace(/(^|\|)([a-z])/g, (_, bar: string, letter: string) => bar + letter.toUpperCase());
}
