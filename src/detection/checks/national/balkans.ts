import { beginsWithBirthDate, dayExists } from '../calendar-date.ts';
import { luhn, mod1110, weightedSum } from '../check-digits.ts';
import { isTypedRow } from '../placeholder.ts';

/** Romanian CNP: sex and century, birthday, county, serial; a check of 10 is written 1. */
export function cnpChecks(digits: string): boolean {
  if (!/^[1-9]\d{6}(?:0[1-9]|[1-4]\d|5[0-2]|70|8[0-3])\d{4}$/.test(digits)) return false;
  if (!dayExists(Number(digits.slice(3, 5)), Number(digits.slice(5, 7)))) return false;
  const rest = weightedSum(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (rest === 10 ? 1 : rest) === Number(digits[12]);
}

/** Bulgarian EGN: months are 20 later in the 19th century, 40 later in the 21st. */
export function egnChecks(digits: string): boolean {
  if (!/^\d{10}$/.test(digits)) return false;
  const month = Number(digits.slice(2, 4));
  const century = ['19', '18', '20'][Math.trunc(month / 20)];
  const born = `${century}${digits.slice(0, 2)}${String(month % 20).padStart(2, '0')}${digits.slice(4, 6)}`;
  if (century === undefined || !beginsWithBirthDate(born)) return false;
  return (weightedSum(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === Number(digits[9]);
}

/** JMBG of all that was Yugoslavia: birthday with three digits of the year, region, serial. */
export function jmbgChecks(digits: string): boolean {
  if (!/^\d{4}[09]\d{8}$/.test(digits)) return false;
  const millennium = digits[4] === '9' ? '1' : '2';
  const born = millennium + digits.slice(4, 7) + digits.slice(2, 4) + digits.slice(0, 2);
  if (!beginsWithBirthDate(born)) return false;
  const rest = weightedSum(digits, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return rest !== 1 && (11 - rest) % 11 === Number(digits[12]);
}

/** Croatian OIB: eleven digits without structure. */
export function oibChecks(digits: string): boolean {
  return /^\d{11}$/.test(digits) && !isTypedRow(digits) && mod1110(digits);
}

/** Greek AFM: powers of two from 256 down, by 11; 10 is written 0. */
export function afmChecks(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || isTypedRow(digits)) return false;
  return (weightedSum(digits, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === Number(digits[8]);
}

/** Greek AMKA: birthday, serial, Luhn's digit. */
export function amkaChecks(digits: string): boolean {
  if (!/^\d{11}$/.test(digits)) return false;
  return dayExists(Number(digits.slice(2, 4)), Number(digits.slice(0, 2))) && luhn(digits);
}
