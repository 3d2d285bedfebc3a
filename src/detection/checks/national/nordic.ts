import { beginsWithBirthDate, dayExists } from '../calendar-date.ts';
import { luhn, weightedSum } from '../check-digits.ts';

/** Swedish personnummer, with or without century, and samordningsnummer, whose day is 60 later. */
export function personnummerChecks(digits: string): boolean {
  if (!/^(?:1[89]|20)?\d{10}$/.test(digits)) return false;
  const short = digits.slice(-10);
  if (short === '1212121212') return false; // valid, but an example in every Swedish manual
  const day = Number(short.slice(4, 6));
  return dayExists(Number(short.slice(2, 4)), day > 60 ? day - 60 : day) && luhn(short);
}

const FIRST = [3, 7, 6, 1, 8, 9, 4, 5, 2, 1];
const SECOND = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1];

/** Norwegian fødselsnummer, and D-number, whose day is 40 later: two check digits, each by 11. */
export function fodselsnummerChecks(digits: string): boolean {
  if (!/^\d{11}$/.test(digits)) return false;
  const day = Number(digits.slice(0, 2));
  const written = `${centuryOfNorwegian(digits)}${digits.slice(4, 6)}${digits.slice(2, 4)}`;
  if (!beginsWithBirthDate(written + String(day > 40 ? day - 40 : day).padStart(2, '0'))) return false;
  return weightedSum(digits, FIRST) % 11 === 0 && weightedSum(digits, SECOND) % 11 === 0;
}

/** The century by the serial; '00' if it matches none. */
function centuryOfNorwegian(digits: string): string {
  const [year, serial] = [Number(digits.slice(4, 6)), Number(digits.slice(6, 9))];
  if (serial < 500 || (serial >= 900 && year >= 40)) return '19';
  if (year < 40) return '20';
  return serial < 750 && year >= 54 ? '18' : '00';
}

/** Danish CPR: since 2007 only the date can be checked; the seventh digit determines the century. */
export function cprPlausible(digits: string): boolean {
  const [year, seventh] = [Number(digits.slice(4, 6)), Number(digits[6])];
  const young = seventh === 4 || seventh === 9 ? year <= 36 : seventh > 4 && year <= 57;
  const old = seventh > 4 && seventh < 9 && !young;
  const century = young ? '20' : old ? '18' : '19';
  return beginsWithBirthDate(century + digits.slice(4, 6) + digits.slice(2, 4) + digits.slice(0, 2));
}

const HETU = /^(\d\d)(\d\d)(\d\d)[A-FU-Y]?(\d{3})([0-9A-Y])$/;

/** Finnish HETU without the sign + or -: the rest of birthday and serial by 31. From 900 on serials are for tests. */
export function hetuChecks(plain: string): boolean {
  const [, day, month, year, serial, check] = HETU.exec(plain) ?? [];
  if (serial === undefined || !dayExists(Number(month), Number(day))) return false;
  if (Number(serial) < 2 || Number(serial) > 899) return false;
  return '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(`${day}${month}${year}${serial}`) % 31] === check;
}

/** Icelandic kennitala of a person: birthday, serial, check digit by 11, century 8, 9 or 0. */
export function kennitalaChecks(digits: string): boolean {
  if (!/^\d{9}[890]$/.test(digits)) return false;
  if (!dayExists(Number(digits.slice(2, 4)), Number(digits.slice(0, 2)))) return false;
  return weightedSum(digits, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}

/** Norwegian organisation number: weights 3 2 7 6 5 4 3 2, by 11. */
export function orgNumberChecks(digits: string): boolean {
  return /^[89]\d{8}$/.test(digits) && weightedSum(digits, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
}

/** Swedish organisation number: like a personnummer, but its "month" is 20 or more. */
export function organisationsnummerChecks(digits: string): boolean {
  return /^[1-9]\d[2-9]\d{7}$/.test(digits) && luhn(digits);
}
