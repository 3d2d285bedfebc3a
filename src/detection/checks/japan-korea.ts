import { beginsWithBirthDate } from './calendar-date.ts';
import { oneDigitOnly, weightedSum } from './weighted-sum.ts';

/** Japan, My Number: twelve digits, the last by modulo 11. */
export function myNumberChecks(digits: string): boolean {
  if (oneDigitOnly(digits)) return false;
  const rest = weightedSum(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return digits[11] === String(rest < 2 ? 0 : 11 - rest);
}

/** Japan, corporate number: thirteen digits, the first by modulo 9. */
export function corporateNumberChecks(digits: string): boolean {
  const sum = weightedSum(digits.slice(1), [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1]);
  return digits[0] === String(9 - (sum % 9));
}

const CENTURIES = ['18', '19', '19', '20', '20', '19', '19', '20', '20', '18']; // by the seventh digit
const RANDOM_SINCE = '20201005';

/** Korea, residents and foreigners: birth date, century and sex, and a check digit for numbers issued before it was abolished. */
export function rrnChecks(rrn: string): boolean {
  const birth = CENTURIES[Number(rrn[6])]! + rrn.slice(0, 6);
  if (!beginsWithBirthDate(birth)) return false;
  if (birth >= RANDOM_SINCE) return true;
  const sum = weightedSum(rrn, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
  const check = (11 - (sum % 11)) % 10;
  // Foreigners' numbers count two more.
  return rrn[12] === String(isForeign(rrn) ? (check + 2) % 10 : check);
}

function isForeign(rrn: string): boolean {
  return rrn[6]! >= '5' && rrn[6]! <= '8';
}

/** Korea, business registration: the ninth digit times five counts its tens too. */
export function brnChecks(brn: string): boolean {
  const sum = weightedSum(brn, [1, 3, 7, 1, 3, 7, 1, 3, 5]) + Math.floor((Number(brn[8]) * 5) / 10);
  return brn[9] === String((10 - (sum % 10)) % 10);
}
