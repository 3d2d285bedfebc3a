import { isTypedRow } from './typed-row.ts';
import { weightedSum } from './weighted-sum.ts';

/** Used for customers who don't provide a number. */
const FINAL_CONSUMER = '999999990';

/** NIF: weights 9 to 2; a check of 10 or 11 is written 0. */
export function portugueseNifChecks(digits: string): boolean {
  if (!/^(?:[123568]|45|7[0-9]|9[0189])\d+$/.test(digits) || digits.length !== 9) return false;
  if (isTypedRow(digits) || digits === FINAL_CONSUMER) return false;
  const rest = weightedSum(digits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === Number(digits[8]);
}

/** Cartão de cidadão: Luhn's rule over twelve digits and letters, A = 10. */
export function cartaoChecks(plain: string): boolean {
  if (!/^\d{9}[A-Z0-9]{2}\d$/.test(plain) || /^0{9}/.test(plain)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    const value = Number.parseInt(plain[i]!, 36) * (i % 2 === 0 ? 2 : 1);
    sum += i % 2 === 0 && value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
