import { beginsWithBirthDate, dayExists } from '../calendar-date.ts';
import { weightedSum } from '../check-digits.ts';
import { isTypedRow } from '../placeholder.ts';

/**
 * Rodné číslo, Czech and Slovak: women's months are 50 later, and 20 more where the day had no number left. Ten digits are a
 * multiple of 11, or until 1985 ended in 0 where the check would have been 10. Nine, without a check, were issued until 1953.
 */
export function rodneCisloChecks(digits: string): boolean {
  if (!/^\d{10}$/.test(digits) || !birthdayExists(digits)) return false;
  const body = Number(digits.slice(0, 9));
  return (
    Number(digits) % 11 === 0 || (body % 11 === 10 && digits[9] === '0' && Number(digits.slice(0, 2)) < 86)
  );
}

/** Ten digits were issued from 1954 on, the additional 20 months from 2004 on. */
function birthdayExists(digits: string): boolean {
  const year = Number(digits.slice(0, 2));
  const month = Number(digits.slice(2, 4)) % 50;
  const added = month > 20 ? 20 : 0;
  const issued = year >= 54 || year < 40;
  return (
    issued &&
    (added === 0 || (year >= 4 && year < 40)) &&
    dayExists(month - added, Number(digits.slice(4, 6)))
  );
}

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
