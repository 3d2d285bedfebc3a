import { beginsWithBirthDate } from '../calendar-date.ts';
import { weightedSum } from '../check-digits.ts';

/** Sex and century in one digit. */
const CENTURIES = ['', '18', '18', '19', '19', '20', '20'];

/** Estonian isikukood and Lithuanian asmens kodas: one rule, from the days when they were one. */
export function balticCodeChecks(digits: string): boolean {
  if (!/^[1-6]\d{10}$/.test(digits)) return false;
  return beginsWithBirthDate(CENTURIES[Number(digits[0])] + digits.slice(1, 7)) && twoRounds(digits);
}

/** Weights from 1; if the result is 10, weights from 3; if that is 10 too, 0. The last digit is the check digit. */
export function twoRounds(digits: string): boolean {
  const places = Array.from({ length: digits.length - 1 }, (_, i) => i);
  const check = (from: number) =>
    weightedSum(
      digits,
      places.map((i) => ((i + from) % 9) + 1),
    ) % 11;
  const first = check(0);
  return (first < 10 ? first : check(2) % 10) === Number(digits.at(-1));
}

/** Latvian personas kods of before 2017; later ones begin with 32 and hide the birthday. */
export function personasKodsChecks(digits: string): boolean {
  if (!/^\d{6}[012]\d{4}$/.test(digits)) return false;
  const born = `${18 + Number(digits[6])}${digits.slice(4, 6)}${digits.slice(2, 4)}${digits.slice(0, 2)}`;
  if (!beginsWithBirthDate(born)) return false;
  const rest = (1101 - weightedSum(digits, [1, 6, 3, 7, 9, 10, 5, 8, 4, 2])) % 11;
  return rest % 10 === Number(digits[10]);
}
