import { dayExists } from '../calendar-date.ts';
import { crossSum, luhn, weightedSum } from '../check-digits.ts';
import { isTypedRow } from '../placeholder.ts';

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

const LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Printed on specimens and in every manual. */
const SPECIMENS = new Set(['12345678Z', '99999999R', '11111111H', '00000000T', '00000001R', 'X1234567L']);

/** DNI: eight digits and the letter of their rest by 23. */
export function dniChecks(plain: string): boolean {
  if (!/^\d{8}[A-Z]$/.test(plain) || SPECIMENS.has(plain)) return false;
  return LETTERS[Number(plain.slice(0, 8)) % 23] === plain[8];
}

/** NIE: X, Y or Z count as 0, 1, 2 before seven digits. */
export function nieChecks(plain: string): boolean {
  if (!/^[XYZ]\d{7}[A-Z]$/.test(plain) || SPECIMENS.has(plain) || plain.slice(1, 8) === '0000000')
    return false;
  return LETTERS[Number('XYZ'.indexOf(plain[0]!) + plain.slice(1, 8)) % 23] === plain[8];
}

/** NUSS: province, up to eight digits, and the rest of both by 97. Small numbers are written without their leading zero. */
export function nussChecks(digits: string): boolean {
  if (!/^(?:0[1-9]|[1-4]\d|5[0-3]|66)\d{10}$/.test(digits)) return false;
  const [province, serial] = [Number(digits.slice(0, 2)), Number(digits.slice(2, 10))];
  const whole = serial < 1e7 ? province * 1e7 + serial : province * 1e8 + serial;
  return serial > 0 && whole % 97 === Number(digits.slice(10));
}

/** CIF of companies: Luhn's sum of seven digits as digit or letter, depending on the first letter. */
export function cifChecks(plain: string): boolean {
  const [, kind, body, check] = /^([ABCDEFGHJNPQRSUVW])(\d{7})([0-9A-J])$/.exec(plain) ?? [];
  if (kind === undefined || body === undefined || check === undefined || isTypedRow(body)) return false;
  const sum = (10 - (crossSum(body, [2, 1, 2, 1, 2, 1, 2]) % 10)) % 10;
  const digit = String(sum) === check;
  const letter = 'JABCDEFGHI'[sum] === check;
  if ('ABEH'.includes(kind)) return digit;
  return 'NPQRSW'.includes(kind) ? letter : digit || letter;
}

/** Used for customers who don't provide a number. */
const FINAL_CONSUMER = '999999990';

/** NIF: weights 9 to 2; a check of 10 or 11 is written 0. */
export function portugueseNifChecks(digits: string): boolean {
  if (!/^(?:[123568]|45|7[0-9]|9[0189])\d+$/.test(digits) || digits.length !== 9) return false;
  if (isTypedRow(digits) || digits === FINAL_CONSUMER) return false;
  const rest = weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === Number(digits[8]);
}

/** Cartão de cidadão: Luhn's rule over twelve digits and letters, A = 10. */
export function cartaoChecks(plain: string): boolean {
  if (!/^\d{9}[A-Z0-9]{2}\d$/.test(plain) || /^0{9}/.test(plain)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    const value = Number.parseInt(plain[i]!, 36) * (i % 2 === 0 ? 2 : 1);
    sum += i % 2 === 0 && value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];

/** Cypriot TIC, also the VAT number: eight digits and a letter; digits in odd positions are mapped by a table. */
export function ticChecks(plain: string): boolean {
  if (!/^\d{8}[A-Z]$/.test(plain) || /^(?:12|0{8})/.test(plain)) return false;
  let sum = 0;
  for (let i = 0; i < 8; i++) sum += i % 2 === 0 ? ODD[Number(plain[i])]! : Number(plain[i]);
  return sum % 26 === plain.charCodeAt(8) - 65;
}

/** Maltese VAT number: the last two digits bring the sum to a multiple of 37. */
export function malteseVatChecks(digits: string): boolean {
  if (!/^[1-9]\d{7}$/.test(digits)) return false;
  return weightedSum(digits, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0;
}
