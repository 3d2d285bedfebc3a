import { dayExists } from './calendar-date.ts';
import { luhn } from './luhn.ts';
import { weightedSum } from './weighted-sum.ts';

/** Social insurance: Luhn. Leading 0 and 8 are not issued to persons. */
export function sinChecks(sin: string): boolean {
  return sin[0] !== '0' && sin[0] !== '8' && luhn(sin);
}

/** Ontario's health card: ten digits by Luhn; two letters of a version may follow. */
export function ohipChecks(card: string): boolean {
  return card[0] !== '0' && luhn(card.slice(0, 10));
}

/** Quebec's health card: letters of the name, then the birth date, the month of women plus 50. */
export function ramqDated(card: string): boolean {
  const month = Number(card.slice(6, 8));
  return dayExists(month > 50 ? month - 50 : month, Number(card.slice(8, 10)));
}

/** British Columbia's personal health number: a 9, eight digits, and eleven minus the weighted rest. */
export function bcPhnChecks(phn: string): boolean {
  const rest = weightedSum(phn.slice(1), [2, 4, 8, 5, 10, 9, 7, 3]) % 11;
  return phn[0] === '9' && rest > 1 && phn[9] === String(11 - rest);
}
