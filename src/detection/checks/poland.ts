import { beginsWithBirthDate } from './calendar-date.ts';
import { isTypedRow } from './typed-row.ts';
import { weightedSum } from './weighted-sum.ts';

/** The month encodes the century: 81–92 for 1800, 01–12 for 1900, 21–32 for 2000 and so on. */
const CENTURIES = ['19', '20', '21', '22', '18'];

export function peselChecks(digits: string): boolean {
  if (!/^\d{11}$/.test(digits)) return false;
  const month = Number(digits.slice(2, 4));
  const year = CENTURIES[Math.trunc(month / 20)]! + digits.slice(0, 2);
  const monthOfYear = String(month % 20).padStart(2, '0');
  if (!beginsWithBirthDate(year + monthOfYear + digits.slice(4, 6))) return false;
  return weightedSum(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

/** NIP: a number whose check would be 10 was never issued. */
export function nipChecks(digits: string): boolean {
  if (!/^[1-9]\d{9}$/.test(digits) || isTypedRow(digits)) return false;
  return weightedSum(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(digits[9]);
}

/** REGON: nine digits; a branch has five more with a check of its own. */
export function regonChecks(digits: string): boolean {
  if (!/^\d{9}(?:\d{5})?$/.test(digits) || isTypedRow(digits)) return false;
  const nine = (weightedSum(digits, [8, 9, 2, 3, 4, 5, 6, 7]) % 11) % 10 === Number(digits[8]);
  if (digits.length === 9 || !nine) return nine;
  const all = weightedSum(digits, [2, 4, 8, 5, 0, 9, 7, 3, 6, 1, 2, 4, 8]);
  return (all % 11) % 10 === Number(digits[13]);
}

/** Dowód osobisty: three letters (A = 10), a check digit, five digits. */
export function dowodChecks(plain: string): boolean {
  if (!/^[A-Z]{3}\d{6}$/.test(plain)) return false;
  const weights = [7, 3, 1, 9, 7, 3, 1, 7, 3];
  return weights.reduce((sum, weight, i) => sum + weight * Number.parseInt(plain[i]!, 36), 0) % 10 === 0;
}
