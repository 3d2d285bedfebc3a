/**
 * US entity identifier: the codes of eleven characters weighted by position, modulo 10, added up; then the digit sum until one digit is
 * left.
 */
export function ueiChecks(uei: string): boolean {
  if (/\d{9}/.test(uei)) return false;
  let sum = placesSum([...uei.slice(0, 11)].map((c) => c.charCodeAt(0)));
  // Two or three rounds do; a bound, for the sum of 19 is 19 again.
  for (let round = 0; sum > 9 && round < 8; round++) sum = placesSum([...String(sum)].map(Number));
  return uei[11] === String(sum);
}

function placesSum(numbers: readonly number[]): number {
  return numbers.reduce((sum, number, i) => sum + ((number * (i + 1)) % 10), 0);
}
