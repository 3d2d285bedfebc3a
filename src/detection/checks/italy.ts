import { dayExists } from './calendar-date.ts';
import { luhn } from './luhn.ts';

const FORM = /^[A-Z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]$/;
const MONTHS = 'ABCDEHLMPRST';
/** What a digit becomes where two people would have the same code (omocodia). */
const REPLACED = 'LMNPQRSTUV';
/** Values of 0–9 in odd positions; A–J have the same. */
const ODD_DIGITS = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
const ODD_LETTERS = [2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
const ODD_TABLE = [...ODD_DIGITS, ...ODD_LETTERS];

/** Codice fiscale: name, birthday (women 40 days later), birthplace, and a letter that checks them. */
export function codiceFiscaleChecks(plain: string): boolean {
  if (!FORM.test(plain)) return false;
  const day = digitsOf(plain.slice(9, 11)) % 40;
  if (!dayExists(MONTHS.indexOf(plain[8]!) + 1, day)) return false;
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const value = evenValue(plain[i]!);
    sum += i % 2 === 0 ? ODD_TABLE[value]! : value;
  }
  return sum % 26 === plain.charCodeAt(15) - 65;
}

/** Partita IVA: Luhn; the province code is in the eighth to tenth position. */
export function partitaIvaChecks(digits: string): boolean {
  if (!/^\d{7}(?:0\d[1-9]|0[1-9]0|100|12[01]|888|999)\d$/.test(digits)) return false;
  return !digits.startsWith('0000000') && luhn(digits);
}

function digitsOf(text: string): number {
  return Number([...text].map((c) => (c >= 'A' ? REPLACED.indexOf(c) : c)).join(''));
}

function evenValue(character: string): number {
  return character >= 'A' ? character.charCodeAt(0) - 65 : Number(character);
}
