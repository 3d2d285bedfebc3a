/** The sum of all digits times the weights of their positions: the basis of nearly every national check digit. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (digits.charCodeAt(i) - 48) * weights[i]!;
  return sum;
}

/** 0000000, 1111111 …: valid under most check digit rules, but never a real number. */
export function oneDigitOnly(digits: string): boolean {
  for (let i = 1; i < digits.length; i++) if (digits[i] !== digits[0]) return false;
  return true;
}
