import { luhn, weightedSum } from '../check-digits.ts';

/** Canada, business number: nine digits by Luhn, then the programme and its account. */
export function canadaBusinessChecks(number: string): boolean {
  return luhn(number.slice(0, 9));
}

const UEN_OTHERS = 'ABCDEFGHJKLMNPQRSTUVWX0123456789';

/** Singapore, entity number: businesses, companies by year, and others by a letter for their century. */
export function uenChecks(uen: string): boolean {
  if (uen.length === 9) return uen[8] === 'XMKECAWLJDB'[weightedSum(uen, [10, 4, 9, 3, 8, 2, 7, 1]) % 11];
  if (uen[0]! <= '9') return uen[9] === 'ZKCMDNERGWH'[weightedSum(uen, [10, 8, 6, 4, 9, 7, 5, 3, 1]) % 11];
  const weights = [4, 3, 5, 3, 10, 2, 2, 5, 7];
  const sum = weights.reduce((all, weight, i) => all + UEN_OTHERS.indexOf(uen[i]!) * weight, 0);
  return uen[9] === UEN_OTHERS[(sum - 5 + 11) % 11];
}

/** Taiwan, uniform number: the sum of the digits of all products is a multiple of 5; a 7 in the seventh position may add one. */
export function taiwanBusinessChecks(ubn: string): boolean {
  let sum = 0;
  [1, 2, 1, 2, 1, 2, 4, 1].forEach((weight, i) => {
    const product = Number(ubn[i]) * weight;
    sum += Math.floor(product / 10) + (product % 10);
  });
  return sum % 5 === 0 || (ubn[6] === '7' && (sum + 1) % 5 === 0);
}

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
