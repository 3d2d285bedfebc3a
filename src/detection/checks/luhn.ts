/** ISO/IEC 7812-1: double every second digit from the right, cast out nines; the sum ends in 0. */
export function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = digits.charCodeAt(i) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

/** The Luhn check of the digits among these bytes, ignoring all others. */
export function luhnBytes(bytes: Uint8Array, from: number, to: number): boolean {
  let sum = 0;
  let double = false;
  for (let i = to - 1; i >= from; i--) {
    const digit = bytes[i]! - 48;
    if (digit < 0 || digit > 9) continue;
    sum += double ? DOUBLED[digit]! : digit;
    double = !double;
  }
  return sum % 10 === 0;
}

const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
