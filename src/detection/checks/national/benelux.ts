import { beginsWithBirthDate, dayExists } from '../calendar-date.ts';
import { luhn, verhoeff, weightedSum } from '../check-digits.ts';
import { isTypedRow } from '../placeholder.ts';

/** Dutch BSN, the proof of eleven: weights 9 to 2, the last digit counts -1. */
export function bsnChecks(digits: string): boolean {
  if (!/^\d{9}$/.test(digits) || isTypedRow(digits) || digits.startsWith('000')) return false;
  return weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** No year of two digits from here on is one after 2000. */
const LATEST = 40;

/**
 * Belgian rijksregisternummer: birthday, serial, and 97 minus the remainder of both by 97; since 2000 with a leading 2. In a BIS number,
 * for people outside the register, 20 or 40 is added to the month; unknown months and days are 00.
 */
export function rijksregisterChecks(digits: string): boolean {
  if (!/^\d{11}$/.test(digits) || digits.slice(6, 9) === '000' || digits.slice(6, 9) === '999') return false;
  const [month, day] = [Number(digits.slice(2, 4)), Number(digits.slice(4, 6))];
  if (month >= 60 || month % 20 > 12 || day > 31) return false;
  if (month % 20 > 0 && day > 0 && !dayExists(month % 20, day)) return false;
  const [body, check] = [Number(digits.slice(0, 9)), Number(digits.slice(9))];
  if (97 - (body % 97) === check) return true;
  return Number(digits.slice(0, 2)) < LATEST && 97 - ((2e9 + body) % 97) === check;
}

/** Luxembourg's matricule: birthday, serial, Luhn's digit and then Verhoeff's, each of the first eleven. */
export function matriculeChecks(digits: string): boolean {
  if (!/^\d{13}$/.test(digits) || !beginsWithBirthDate(digits)) return false;
  return luhn(digits.slice(0, 12)) && verhoeff(digits.slice(0, 11) + digits[12]);
}
