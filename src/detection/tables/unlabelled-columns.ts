/** Columns without a label that is known: judged by their values as a whole, and by what else the table has. */
import { EVERYDAY, FIRST_NAME, kindOfWord, LAST_NAME } from '../data/name-list.ts';
import type { Detector } from '../detector.ts';
import { parseAddress } from '../families/addresses/street-address.ts';
import { CELL_TESTS, digitsIn, isNameLike } from './cell-values.ts';
import { inScratch, verifyCell } from './cell-verifier.ts';
import type { LabelKind } from './label-words.ts';

/** Fewer values prove nothing. */
const MIN_VALUES = 10;
const NEARLY_ALL = 0.9;
const MIN_KNOWN_NAMES = 0.4;
const MAX_KNOWN_ELSEWHERE = 0.25;
const MAX_EVERYDAY = 0.1;
const MIN_DISTINCT = 0.3;
const MIN_INTERNATIONAL = 0.15;
const MIN_STREETS = 0.4;
const MIN_USER_NAMES_OF_PEOPLE = 0.5;
/** Of checks that a changed digit passes as well. */
const MAX_FALSE_CHECKS = 0.3;
const FEW = 3;
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/;
const TOWN_WITH_CODE =
  /, (?:\d{4,6}|\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2}|\d{4} [A-Z]{2}) \p{L}|, [A-Z]{2} \d{5}\b|〒\d{3}-?\d{4}/iu;
const NAMED_HOUSE = /^\p{L}[\p{L}\p{M} .'’/-]{2,40},? \d{1,4}(?: ?\p{L})?$/u;
const CODE_WITH_SEPARATOR = /^(?:\d{2}-\d{3}|\d{4}-\d{3}|\d{4} [A-Z]{2})$/i;
const BIRTH = /^(?:\d{1,2}[-/.]\d{1,2}[-/.]((?:19|20)\d{2})|((?:19|20)\d{2})[-/.]\d{1,2}[-/.]\d{1,2})$/;
const LAST_BIRTH_YEAR = 2015;
const MIN_GENERATION = 25;
const PASSWORD = /^(?=.*[a-z])(?=.*\d)(?=.*[!#$%&*+?@_.^-])[!-~]{6,64}$/i;
const USER_NAME = /^[a-z][a-z0-9]*[._-]?[a-z0-9]+$/i;

/** Null: nothing is known about the column; `other`: text that names no person. */
type ColumnGuess = LabelKind | null;

/** What the values alone tell. */
export function kindOfValues(values: readonly string[]): ColumnGuess {
  if (values.length < MIN_VALUES) return null;
  if (isMost(values, CELL_TESTS.email!)) return 'email';
  if (
    isMost(values, CELL_TESTS.phone!) &&
    shareOf(values, (text) => text.startsWith('+')) >= MIN_INTERNATIONAL
  )
    return 'phone';
  if (isMost(values, isNameLike)) return kindOfWords(values);
  return areAddresses(values) ? 'address' : null;
}

function kindOfWords(values: readonly string[]): ColumnGuess {
  const known = shareOf(values, isKnownName);
  const isOther = shareOf(values, hasEverydayWord) > MAX_EVERYDAY || distinct(values) < MIN_DISTINCT;
  if (values.some((text) => JAPANESE.test(text))) return null;
  if (!isOther && known >= MIN_KNOWN_NAMES) return 'person_name';
  return isOther || known <= MAX_KNOWN_ELSEWHERE ? 'other' : null;
}

function areAddresses(values: readonly string[]): boolean {
  if (!isMost(values, CELL_TESTS.address!) || shareOf(values, (text) => digitsIn(text) > 0) < 0.8)
    return false;
  return isMost(values, (text) => TOWN_WITH_CODE.test(text)) || shareOf(values, isStreet) >= MIN_STREETS;
}

function isStreet(text: string): boolean {
  return inScratch(text, (bytes, from) => parseAddress(bytes, from)?.plain === false);
}

/** What they tell in a table that has names, e-mail addresses or phone numbers. `isBeside`: whether a value is part of another of its row. */
export function kindAmongPeople(values: readonly string[], isBeside: (text: string) => boolean): ColumnGuess {
  if (values.length < MIN_VALUES) return null;
  if (areBirthDates(values)) return 'birth_date';
  if (isMost(values, CELL_TESTS.postal_code!))
    return isMost(values, isBeside) || isMost(values, (text) => CODE_WITH_SEPARATOR.test(text))
      ? 'postal_code'
      : null;
  const firstWords = values.map((text) => text.split(' ')[0]!);
  if (isMost(values, (text) => NAMED_HOUSE.test(text)) && distinct(firstWords) >= MIN_DISTINCT)
    return 'address';
  const lengths = new Set(values.map((text) => text.length));
  if (isMost(values, (text) => PASSWORD.test(text)) && lengths.size >= FEW && distinct(values) >= NEARLY_ALL)
    return 'password';
  const areUserNames =
    isMost(values, (text) => USER_NAME.test(text)) && isMost(values, (text) => text === text.toLowerCase());
  return areUserNames && shareOf(values, namesPerson) >= MIN_USER_NAMES_OF_PEOPLE ? 'user_name' : null;
}

/** Days without a time, of more than one generation, and none of them recent. */
function areBirthDates(values: readonly string[]): boolean {
  const years = values.flatMap((text) => {
    const found = BIRTH.exec(text);
    return found === null ? [] : Number(found[1] ?? found[2]);
  });
  if (years.length < NEARLY_ALL * values.length || distinct(values) < MIN_DISTINCT) return false;
  return Math.max(...years) <= LAST_BIRTH_YEAR && Math.max(...years) - Math.min(...years) >= MIN_GENERATION;
}

/** The national identifier whose check digits nearly all values have, and would not have if a digit were another. */
export function checkedId(values: readonly string[], detectors: readonly Detector[]): Detector | null {
  const numbers = values.filter((text) => digitsIn(text) >= 7 && text.length <= 20);
  if (values.length < MIN_VALUES || numbers.length < NEARLY_ALL * values.length) return null;
  const fits = detectors.filter((detector) => {
    if (detector.country === undefined || detector.strength !== 'checksum') return false;
    const passes = (text: string) =>
      verifyCell(detector, text) !== null || verifyCell(detector, text.toUpperCase()) !== null;
    if (!numbers.slice(0, FEW).every(passes)) return false;
    return isMost(numbers, passes) && shareOf(numbers.map(otherDigit), passes) <= MAX_FALSE_CHECKS;
  });
  return fits[0] ?? null;
}

function otherDigit(text: string): string {
  const last = text.search(/\d\D*$/);
  return `${text.slice(0, last)}${(Number(text[last]) + 1) % 10}${text.slice(last + 1)}`;
}

/** Whether a word of it is a first or last name and no everyday word. Japanese names are not listed. */
export function isKnownName(text: string): boolean {
  if (!isNameLike(text)) return false;
  return JAPANESE.test(text) || wordsOf(text).some(isListedName);
}

export function hasEverydayWord(text: string): boolean {
  return wordsOf(text).some((kind) => (kind & (EVERYDAY | FIRST_NAME | LAST_NAME)) === EVERYDAY);
}

/** A login made of a name: "jkuhn" is not, "jody.kuhn32" is. */
function namesPerson(text: string): boolean {
  return wordsOf(text.replace(/[._\d-]+/g, ' ').trim()).some(isListedName);
}

function isListedName(kind: number): boolean {
  return (kind & (FIRST_NAME | LAST_NAME)) !== 0 && (kind & EVERYDAY) === 0;
}

/** The kinds of its words in the list of names. */
function wordsOf(text: string): number[] {
  return text
    .toLowerCase()
    .split(/[ ,]+/)
    .map((word) => {
      const bytes = Buffer.from(word);
      return kindOfWord(bytes, 0, bytes.length);
    });
}

function distinct(values: readonly string[]): number {
  return new Set(values).size / values.length;
}

function isMost(values: readonly string[], test: (text: string) => boolean): boolean {
  return shareOf(values, test) >= NEARLY_ALL;
}

export function shareOf(values: readonly string[], test: (text: string) => boolean): number {
  return values.filter(test).length / values.length;
}
