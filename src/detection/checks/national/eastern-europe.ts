import { weightedSum } from '../check-digits.ts';
import { isTypedRow } from '../placeholder.ts';

const ELEVENTH = [7, 2, 4, 10, 3, 5, 9, 4, 6, 8];
const TWELFTH = [3, ...ELEVENTH];

/** Russian INN: ten digits of a company with one check digit, twelve of a person with two. */
export function innChecks(digits: string): boolean {
  if (!/^(?:\d{10}|\d{12})$/.test(digits) || isTypedRow(digits) || digits.startsWith('00')) return false;
  const right = (weights: readonly number[]) =>
    (weightedSum(digits, weights) % 11) % 10 === Number(digits[weights.length]);
  return digits.length === 10 ? right(ELEVENTH.slice(1)) : right(ELEVENTH) && right(TWELFTH);
}

/** SNILS: weights 9 to 1, by 101; 100 is written 00. Numbers up to 001-001-998 have no check and are rejected. */
export function snilsChecks(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || Number(digits.slice(0, 9)) <= 1001998) return false;
  if (isTypedRow(digits.slice(0, 9))) return false;
  return (weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === Number(digits.slice(9));
}

/** Russian passport: region, the year the form was printed (from 1997), six digits. */
export function russianPassportPlausible(digits: string): boolean {
  const year = Number(digits.slice(2, 4));
  return !digits.startsWith('00') && (year >= 97 || year <= 35) && !isTypedRow(digits.slice(4));
}

/** Ukrainian RNOKPP: birthday in days since 1899, serial, check by 11. */
export function rnokppChecks(digits: string): boolean {
  if (!/^[0-4]\d{9}$/.test(digits) || isTypedRow(digits) || digits.startsWith('0000')) return false;
  const sum = weightedSum(digits, [-1, 5, 7, 9, 4, 6, 10, 5, 7]);
  return (((sum % 11) + 11) % 11) % 10 === Number(digits[9]);
}

/** Moldovan IDNP: weights 7 3 1, modulo 10. */
export function idnpChecks(digits: string): boolean {
  if (!/^\d{13}$/.test(digits) || isTypedRow(digits)) return false;
  return weightedSum(digits, [7, 3, 1, 7, 3, 1, 7, 3, 1, 7, 3, 1]) % 10 === Number(digits[12]);
}
