import { dayExists } from '../calendar-date.ts';
import { crossSum, mod1110 } from '../check-digits.ts';

/** Steuer-ID: of the first ten digits exactly one occurs twice or three times, never three in a row. */
export function steuerIdChecks(digits: string): boolean {
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const body = digits.slice(0, 10);
  const repeated = [...'0123456789'].map((d) => body.split(d).length - 1).filter((count) => count > 1);
  if (repeated.length !== 1 || repeated[0]! > 3 || /(\d)\1\1/.test(body)) return false;
  return mod1110(digits);
}

/** Rentenversicherungsnummer: area, birthday, initial, serial; the initial is mapped to its position in the alphabet. */
export function pensionNumberChecks(plain: string): boolean {
  const [, area, day, month, year, letter, serial, check] =
    /^(\d\d)(\d\d)(\d\d)(\d\d)([A-Z])(\d\d)(\d)$/.exec(plain) ?? [];
  if (letter === undefined || Number(area) < 2 || !dayExists(Number(month), Number(day))) return false;
  const digits = `${area}${day}${month}${year}${placeOf(letter)}${serial}`;
  return crossSum(digits, [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]) % 10 === Number(check);
}

/** The part of a Krankenversichertennummer that stays for life: a letter, eight digits, a check digit. */
export function healthInsuranceNumberChecks(plain: string): boolean {
  if (!/^[A-Z]\d{9}$/.test(plain) || /^.0{8}/.test(plain)) return false;
  const digits = placeOf(plain[0]!) + plain.slice(1, 9);
  return crossSum(digits, [1, 2, 1, 2, 1, 2, 1, 2, 1, 2]) % 10 === Number(plain[9]);
}

/** Nine letters and digits without vowels, and in the machine-readable zone a tenth that checks them (weights 7 3 1). */
export function germanCardPlausible(plain: string): boolean {
  if ((plain.match(/\d/g)?.length ?? 0) < 3) return false;
  return plain.length === 9 || icaoDigit(plain.slice(0, 9)) === Number(plain[9]);
}

/** ICAO 9303: letters from A = 10, weights 7 3 1, modulo 10. */
function icaoDigit(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += Number.parseInt(text[i]!, 36) * [7, 3, 1][i % 3]!;
  return sum % 10;
}

function placeOf(letter: string): string {
  return String(letter.charCodeAt(0) - 64).padStart(2, '0');
}

/**
 * Steuernummer in the federal form: a state code, and a zero in the fifth position. In the states' own forms only repeated zeros are
 * rejected.
 */
export function steuernummerPlausible(digits: string): boolean {
  if (digits.length === 13) return /^(?:1[01]|2[1-8]|3\d|4\d|5\d|9\d)\d\d0/.test(digits);
  return !/^0+$/.test(digits);
}
