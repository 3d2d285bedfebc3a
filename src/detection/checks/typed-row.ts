import { oneDigitOnly } from './weighted-sum.ts';

/** 000000000 or 123456789: valid under some check digit rules, but never a real number. */
export function isTypedRow(digits: string): boolean {
  return oneDigitOnly(digits) || '01234567890123'.includes(digits) || '9876543210'.includes(digits);
}
