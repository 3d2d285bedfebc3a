import { verhoeff } from './verhoeff.ts';
import { oneDigitOnly } from './weighted-sum.ts';

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
