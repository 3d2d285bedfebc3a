import { dayExists } from '../calendar-date.ts';
import { weightedSum } from '../check-digits.ts';
import { isTypedRow } from '../placeholder.ts';

/** Unique Taxpayer Reference: the first of ten digits checks the others. */
export function utrChecks(digits: string): boolean {
  if (!/^\d{10}$/.test(digits) || isTypedRow(digits)) return false;
  const sum = weightedSum(digits.slice(1), [6, 7, 8, 9, 10, 5, 4, 3, 2]);
  return '21987654321'[sum % 11] === digits[0];
}

/** VAT number: nine digits, of which the last two bring the sum to a multiple of 97; newer ones are 55 away. */
export function gbVatChecks(digits: string): boolean {
  if (!/^\d{9}(?:\d{3})?$/.test(digits) || isTypedRow(digits)) return false;
  const sum = weightedSum(digits, [8, 7, 6, 5, 4, 3, 2, 10, 1]);
  return sum % 97 === 0 || (sum + 55) % 97 === 0;
}

const PPS_LETTERS = 'WABCDEFGHIJKLMNOPQRSTUV';

/** Irish PPS number, also the VAT number: the letter after seven digits; a second letter A–I counts nine times. */
export function ppsChecks(plain: string): boolean {
  if (!/^\d{7}[A-W][A-IWTX]?$/.test(plain) || plain.startsWith('0000000')) return false;
  const second = plain.charCodeAt(8) - 64;
  const extra = second >= 1 && second <= 9 ? second * 9 : 0;
  const sum = weightedSum(plain, [8, 7, 6, 5, 4, 3, 2]) + extra;
  return PPS_LETTERS[sum % 23] === plain[7];
}

/** Irish VAT numbers before 2013: a letter or sign in the second position; its digit is moved to the front as 0. */
export function oldIrishVatChecks(plain: string): boolean {
  if (!/^\d[A-Z]\d{5}[A-W]$/.test(plain)) return false;
  const sum = weightedSum(`0${plain.slice(2, 7)}`, [8, 7, 6, 5, 4, 3]) + Number(plain[0]) * 2;
  return PPS_LETTERS[sum % 23] === plain[7];
}

/** Scottish CHI number: birthday, serial, and the check digit of an NHS number. */
export function chiChecks(digits: string): boolean {
  return dayExists(Number(digits.slice(2, 4)), Number(digits.slice(0, 2))) && nhsChecks(digits);
}

/** Driver number: five letters of the name, filled up with 9; the birthday around its decade (women's months 50 later). */
export function dvlaPlausible(plain: string): boolean {
  if (plain.length !== 16 || !/^[A-Z]+9*$/.test(plain.slice(0, 5))) return false;
  return dayExists(Number(plain.slice(6, 8)) % 50, Number(plain.slice(8, 10)));
}

/** NHS number (England, Wales, Isle of Man): weights 10…2, eleven minus the rest; 10 is never issued. */
export function nhsChecks(digits: string): boolean {
  if (!/^\d{10}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += Number(digits[i]) * (10 - i);
  return (11 - (sum % 11)) % 11 === Number(digits[9]);
}
