import { beginsWithBirthDate } from './calendar-date.ts';
import { weightedSum } from './weighted-sum.ts';

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

const TAIWAN_LETTERS = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'; // in the order of their numbers, from 10 on

/** Taiwan, nationals and residents: the letter becomes two digits. */
export function taiwanIdChecks(id: string): boolean {
  const letter = String(TAIWAN_LETTERS.indexOf(id[0]!) + 10);
  return weightedSum(letter + id.slice(1), [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0;
}
