/** Like a weighted sum, but a product of two digits counts as the sum of these, as in Luhn's rule. */
export function crossSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    const product = Number(digits[i]) * weights[i]!;
    sum += Math.trunc(product / 10) + (product % 10);
  }
  return sum;
}
