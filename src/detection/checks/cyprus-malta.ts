import { weightedSum } from './weighted-sum.ts';

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];

/** Cypriot TIC, also the VAT number: eight digits and a letter; digits in odd positions are mapped by a table. */
export function ticChecks(plain: string): boolean {
  if (!/^\d{8}[A-Z]$/.test(plain) || /^(?:12|0{8})/.test(plain)) return false;
  let sum = 0;
  for (let i = 0; i < 8; i++) sum += i % 2 === 0 ? ODD[Number(plain[i])]! : Number(plain[i]);
  return sum % 26 === plain.charCodeAt(8) - 65;
}

/** Maltese VAT number: the last two digits bring the sum to a multiple of 37. */
export function malteseVatChecks(digits: string): boolean {
  if (!/^[1-9]\d{7}$/.test(digits)) return false;
  return weightedSum(digits, [3, 4, 6, 7, 8, 9, 10, 1]) % 37 === 0;
}
