import { beginsWithYymmdd, dayExists } from '../calendar-date.ts';
import { oneDigitOnly, verhoeff, weightedSum } from '../check-digits.ts';

/** Twelve digits by Verhoeff. It never begins with 0 or 1 and never reads the same backwards. */
export function aadhaarChecks(digits: string): boolean {
  if (digits[0]! < '2' || oneDigitOnly(digits)) return false;
  return verhoeff(digits) && digits !== [...digits].reverse().join('');
}

/** Goods and services tax: state, PAN, number of the registration, Z, and a check character modulo 36. */
export function gstinChecks(gstin: string): boolean {
  const state = Number(gstin.slice(0, 2));
  if (!((state >= 1 && state <= 38) || state === 97 || state === 99)) return false;
  let sum = 0;
  for (let i = 0; i < 14; i++) {
    const product = Number.parseInt(gstin[i]!, 36) * (1 + (i % 2));
    sum += Math.floor(product / 36) + (product % 36);
  }
  return Number.parseInt(gstin[14]!, 36) === (36 - (sum % 36)) % 36;
}

const NRIC_LETTERS: Readonly<Record<string, readonly [number, string]>> = {
  S: [0, 'JZIHGFEDCBA'],
  T: [4, 'JZIHGFEDCBA'],
  F: [0, 'XWUTRQPNMLK'],
  G: [4, 'XWUTRQPNMLK'],
  M: [3, 'XWUTRQPNJLK'],
};

/** Singapore: S and T are citizens and residents, F, G and M foreigners; each series has its own letters. */
export function nricChecks(nric: string): boolean {
  const [offset, letters] = NRIC_LETTERS[nric[0]!]!;
  return nric[8] === letters[(offset + weightedSum(nric.slice(1), [2, 7, 6, 5, 4, 3, 2])) % 11];
}

/** Thailand: thirteen digits by modulo 11. */
export function thaiIdChecks(id: string): boolean {
  if (id[0] === '0' || id[0] === '9' || oneDigitOnly(id)) return false;
  const sum = weightedSum(id, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  return id[12] === String((11 - (sum % 11)) % 10);
}

/** Unassigned codes for the place of birth. */
const NOWHERE = new Set([0, 17, 18, 19, 20, 69, 70, 73, 80, 81, 94, 95, 96, 97]);

/** Malaysia: birth date, place of birth, serial number; no check digit. */
export function mykadPlausible(id: string): boolean {
  return beginsWithYymmdd(id) && !NOWHERE.has(Number(id.slice(6, 8))) && id.slice(8) !== '0000';
}

const PROVINCES = /^(?:1[1-9]|21|3[1-6]|5[1-3]|6[1-5]|7[1-6]|8[12]|9[1-7])/;

/** Indonesia: province, district, birth date with the day of women plus 40, serial number. */
export function nikPlausible(nik: string): boolean {
  const day = Number(nik.slice(6, 8));
  if (!PROVINCES.test(nik) || nik.slice(12) === '0000') return false;
  return dayExists(Number(nik.slice(8, 10)), day > 40 ? day - 40 : day);
}

/** Vietnam: province 001–096, a digit for century and sex, year of birth, serial number. */
export function cccdPlausible(id: string): boolean {
  const province = Number(id.slice(0, 3));
  return province >= 1 && province <= 96 && id[3]! <= '3';
}
