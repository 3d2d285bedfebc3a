import { beginsWithBirthDate } from './calendar-date.ts';
import { isTypedRow } from './typed-row.ts';
import { weightedSum } from './weighted-sum.ts';

/** TAJ: eight digits with weights 3 and 7, modulo 10. */
export function tajChecks(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || isTypedRow(digits.slice(0, 8))) return false;
  return weightedSum(digits, [3, 7, 3, 7, 3, 7, 3, 7]) % 10 === Number(digits[8]);
}

/** Adóazonosító jel: an 8, the birthday in days since 1867, a serial, and a check by 11 that is never 10. */
export function adoazonositoChecks(digits: string): boolean {
  if (!/^8\d{9}$/.test(digits) || isTypedRow(digits.slice(1))) return false;
  const days = Number(digits.slice(1, 6));
  return days > 4000 && days < 67000 && weightedSum(digits, UPWARD.slice(0, 9)) % 11 === Number(digits[9]);
}

const UPWARD = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const DOWNWARD = UPWARD.toReversed();

/** Személyi szám: sex and century, birthday, serial; the weights turned round for those born from 1997 on. */
export function szemelyiSzamChecks(digits: string): boolean {
  if (!/^[1-8]\d{10}$/.test(digits)) return false;
  const century = '34'.includes(digits[0]!) ? '20' : '19';
  const born = century + digits.slice(1, 7);
  const weights = born < '19970101' ? UPWARD : DOWNWARD;
  return beginsWithBirthDate(born) && weightedSum(digits, weights) % 11 === Number(digits[10]);
}
