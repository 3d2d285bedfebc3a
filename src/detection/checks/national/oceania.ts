import { oneDigitOnly, weightedSum } from '../check-digits.ts';

/** Australia, tax file number. */
export function tfnChecks(tfn: string): boolean {
  return !oneDigitOnly(tfn) && weightedSum(tfn, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
}

/** Australia, Medicare card: 2–6 at the front, the ninth digit checks, then the issue and perhaps the person. */
export function medicareChecks(card: string): boolean {
  if (card[0]! < '2' || card[0]! > '6' || card[9] === '0') return false;
  return card[8] === String(weightedSum(card, [1, 3, 7, 9, 1, 3, 7, 9]) % 10);
}

/** Australia, business number: the first digit less one, the weighted sum a multiple of 89. */
export function abnChecks(abn: string): boolean {
  const sum = weightedSum(abn, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10;
  return abn[0] !== '0' && sum % 89 === 0;
}

/** Australia, company number. */
export function acnChecks(acn: string): boolean {
  const sum = weightedSum(acn, [8, 7, 6, 5, 4, 3, 2, 1]);
  return !oneDigitOnly(acn) && acn[8] === String((10 - (sum % 10)) % 10);
}

/** New Zealand, tax number: a second set of weights if the first gives 10. */
export function irdChecks(ird: string): boolean {
  const digits = ird.padStart(9, '0');
  if (Number(digits) < 10_000_000 || Number(digits) > 200_000_000) return false;
  const first = (11 - (weightedSum(digits, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  const check = first < 10 ? first : (11 - (weightedSum(digits, [7, 4, 3, 2, 5, 2, 7, 6]) % 11)) % 11;
  return digits[8] === String(check);
}

const NHI_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'; // no I, no O

/** New Zealand, health index: `AAANNNN` checks modulo 11, `AAANNAA` (since 2026) modulo 23. */
export function nhiChecks(nhi: string): boolean {
  let sum = 0;
  for (let i = 0; i < 6; i++) {
    const letter = NHI_LETTERS.indexOf(nhi[i]!);
    sum += (letter < 0 ? Number(nhi[i]) : letter + 1) * (7 - i);
  }
  const letter = NHI_LETTERS.indexOf(nhi[6]!);
  if (letter >= 0) return letter + 1 === 23 - (sum % 23);
  return sum % 11 !== 0 && nhi[6] === String((11 - (sum % 11)) % 10);
}
