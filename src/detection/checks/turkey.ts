import { isTypedRow } from './typed-row.ts';
import { weightedSum } from './weighted-sum.ts';

/** T.C. kimlik no: the tenth digit is computed from odd and even positions, the eleventh from the sum of all before. */
export function kimlikChecks(digits: string): boolean {
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const tenth = (weightedSum(digits, [7, -1, 7, -1, 7, -1, 7, -1, 7]) + 100) % 10;
  const eleventh = weightedSum(digits, Array(10).fill(1)) % 10;
  return tenth === Number(digits[9]) && eleventh === Number(digits[10]);
}

/** Vergi kimlik no: each digit is shifted by its position and then multiplied by a power of two, modulo 9. */
export function vergiChecks(digits: string): boolean {
  if (!/^\d{10}$/.test(digits) || isTypedRow(digits)) return false;
  let sum = Number(digits[9]);
  for (let i = 0; i < 9; i++) {
    const moved = (Number(digits[i]) + 9 - i) % 10;
    sum += moved === 0 ? 0 : (moved * 2 ** (9 - i)) % 9 || 9;
  }
  return sum % 10 === 0;
}
