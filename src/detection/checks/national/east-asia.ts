import { beginsWithBirthDate } from '../calendar-date.ts';
import { oneDigitOnly, weightedSum } from '../check-digits.ts';

const RESIDENT = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

const PROVINCES = /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3]|91)/;

/** Resident identity: area, birth date, sequence, and ISO 7064 MOD 11-2, where 10 is written X. */
export function residentIdChecks(id: string): boolean {
  if (!PROVINCES.test(id) || !beginsWithBirthDate(id.slice(6))) return false;
  return id[17] === '10X98765432'[weightedSum(id, RESIDENT) % 11];
}

const USCC_ALPHABET = '0123456789ABCDEFGHJKLMNPQRTUWXY';

/** Social credit code of organisations: powers of 3 as weights, modulo 31. */
export function usccChecks(code: string): boolean {
  let sum = 0;
  for (let i = 0, weight = 1; i < 17; i++, weight = (weight * 3) % 31) {
    sum += USCC_ALPHABET.indexOf(code[i]!) * weight;
  }
  return code[17] === USCC_ALPHABET[(31 - (sum % 31)) % 31];
}

/** Hong Kong: letters from A = 10, a blank before a single one worth 36; the last may be A for 10. */
export function hkidChecks(id: string): boolean {
  const padded = id.padStart(9, ' ');
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += hkidValue(padded[i]!) * (9 - i);
  return sum % 11 === 0;
}

function hkidValue(c: string): number {
  return c === ' ' ? 36 : Number.parseInt(c, 36);
}

const TAIWAN_LETTERS = 'ABCDEFGHJKLMNPQRSTUVXYWZIO';

// in the order of their numbers, from 10 on

/** Taiwan, nationals and residents: the letter becomes two digits. */
export function taiwanIdChecks(id: string): boolean {
  const letter = String(TAIWAN_LETTERS.indexOf(id[0]!) + 10);
  return weightedSum(letter + id.slice(1), [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0;
}

/** Japan, My Number: twelve digits, the last by modulo 11. */
export function myNumberChecks(digits: string): boolean {
  if (oneDigitOnly(digits)) return false;
  const rest = weightedSum(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return digits[11] === String(rest < 2 ? 0 : 11 - rest);
}

/** Japan, corporate number: thirteen digits, the first by modulo 9. */
export function corporateNumberChecks(digits: string): boolean {
  const sum = weightedSum(digits.slice(1), [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1]);
  return digits[0] === String(9 - (sum % 9));
}

const CENTURIES = ['18', '19', '19', '20', '20', '19', '19', '20', '20', '18'];

// by the seventh digit
const RANDOM_SINCE = '20201005';

/** Korea, residents and foreigners: birth date, century and sex, and a check digit for numbers issued before it was abolished. */
export function rrnChecks(rrn: string): boolean {
  const birth = CENTURIES[Number(rrn[6])]! + rrn.slice(0, 6);
  if (!beginsWithBirthDate(birth)) return false;
  if (birth >= RANDOM_SINCE) return true;
  const sum = weightedSum(rrn, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
  const check = (11 - (sum % 11)) % 10;
  // Foreigners' numbers count two more.
  return rrn[12] === String(isForeign(rrn) ? (check + 2) % 10 : check);
}

function isForeign(rrn: string): boolean {
  return rrn[6]! >= '5' && rrn[6]! <= '8';
}

/** Korea, business registration: the ninth digit times five counts its tens too. */
export function brnChecks(brn: string): boolean {
  const sum = weightedSum(brn, [1, 3, 7, 1, 3, 7, 1, 3, 5]) + Math.floor((Number(brn[8]) * 5) / 10);
  return brn[9] === String((10 - (sum % 10)) % 10);
}
