/** Luhn (ISO/IEC 7812-1 Annex B): every second digit from the right is doubled, less 9 if above 9; the sum must end in 0. */
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

/** Multiplication in the dihedral group D5: 0–4 are rotations, 5–9 reflections. It is not commutative, so swapped digits are detected. */
function multiply(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
  return b < 5 ? 5 + ((a - b) % 5) : (a - b + 5) % 5;
}

/** The permutation that is applied once for each position. */
const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/**
 * Verhoeff's check digit, the last of `digits`: each digit is permuted according to its position from the right, then combined in the
 * dihedral group D5.
 */
export function verhoeff(digits: string): boolean {
  let state = 0;
  for (let position = 0; position < digits.length; position++) {
    let digit = digits.charCodeAt(digits.length - 1 - position) - 48;
    for (let n = position % 8; n > 0; n--) digit = PERMUTATION[digit]!;
    state = multiply(state, digit);
  }
  return state === 0;
}

/** ISO 7064 MOD 11,10: one check digit at the end of any number of digits. */
export function mod1110(digits: string): boolean {
  let rest = 10;
  for (let i = 0; i < digits.length - 1; i++) {
    const sum = (rest + Number(digits[i])) % 10 || 10;
    rest = (sum * 2) % 11;
  }
  return (11 - rest) % 10 === Number(digits.at(-1));
}

/** ISO 7064 MOD 97-10 of letters and digits (A = 10 … Z = 35), in steps, so that the remainder stays small. */
export function mod97(text: string): number {
  let rest = 0;
  for (let i = 0; i < text.length; i++) {
    const value = Number.parseInt(text[i]!, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest;
}

/** The same for bytes, in any case, continuing from `rest`; bytes other than letters and digits are ignored. */
export function mod97Bytes(bytes: Uint8Array, from: number, to: number, rest: number): number {
  let result = rest;
  for (let i = from; i < to; i++) {
    const value = VALUES[bytes[i]!]!;
    if (value !== NONE) result = (value > 9 ? result * 100 + value : result * 10 + value) % 97;
  }
  return result;
}

const NONE = 255;

const VALUES = Uint8Array.from({ length: 256 }, (_, b) => {
  const value = Number.parseInt(String.fromCharCode(b), 36);
  return Number.isNaN(value) ? NONE : value;
});

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

/** Like a weighted sum, but a product of two digits counts as the sum of these, as in Luhn's rule. */
export function crossSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) {
    const product = Number(digits[i]) * weights[i]!;
    sum += Math.trunc(product / 10) + (product % 10);
  }
  return sum;
}
