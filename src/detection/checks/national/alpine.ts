import { dayExists } from '../calendar-date.ts';
import { crossSum, luhn, weightedSum } from '../check-digits.ts';
import { isTypedRow } from '../placeholder.ts';

/** Austrian SVNR: serial, check digit, birthday. Months 13 to 15 are used when the serials of a day are exhausted. */
export function svnrChecks(digits: string): boolean {
  if (!/^[1-9]\d{9}$/.test(digits)) return false;
  const month = Number(digits.slice(6, 8));
  if (!dayExists(month > 12 && month < 16 ? 1 : month, Number(digits.slice(4, 6)))) return false;
  return weightedSum(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(digits[3]);
}

/** Austrian Abgabenkontonummer: tax office, six digits, and Luhn's over all. */
export function abgabenkontoChecks(digits: string): boolean {
  return /^(?:0[3-9]|[1-9]\d)\d{7}$/.test(digits) && !isTypedRow(digits) && luhn(digits);
}

/** Austrian UID, without its U: Luhn's sum with 4 added. */
export function uidChecks(digits: string): boolean {
  if (!/^\d{8}$/.test(digits) || isTypedRow(digits)) return false;
  return (crossSum(digits, [1, 2, 1, 2, 1, 2, 1]) + 4 + Number(digits[7])) % 10 === 0;
}

/** Swiss AHV number: country 756, nine digits, and the check digit of EAN-13. */
export function ahvChecks(digits: string): boolean {
  if (!/^756\d{10}$/.test(digits) || isTypedRow(digits.slice(3, 12))) return false;
  return weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

/** Swiss UID, with its CHE: eight digits, by 11; a check of 10 was never issued. */
export function swissUidChecks(plain: string): boolean {
  const digits = plain.slice(3);
  if (!/^CHE\d{9}$/.test(plain) || isTypedRow(digits)) return false;
  return weightedSum(digits, [5, 4, 3, 2, 7, 6, 5, 4, 1]) % 11 === 0;
}
