import { crossSum } from './cross-sum.ts';
import { isTypedRow } from './typed-row.ts';

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
