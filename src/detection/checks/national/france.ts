import { luhn } from '../check-digits.ts';
import { isTypedRow } from '../placeholder.ts';

const NIR = /^[1-478]\d\d(?:0[1-9]|1[0-2]|[23]\d|4[0-2]|[5-9]\d)(?:\d\d|2[AB])\d{8}$/;

/** NIR: the key is 97 minus the rest of the thirteen digits by 97. Corsica counts as department 19 (2A) or 18 (2B). */
export function nirChecks(plain: string): boolean {
  if (!NIR.test(plain)) return false;
  const body = plain.slice(0, 13).replace('2A', '19').replace('2B', '18');
  return 97 - (Number(body) % 97) === Number(plain.slice(13));
}

/** Numéro fiscal (SPI): the last three of thirteen digits are the first ten modulo 511. */
export function spiChecks(digits: string): boolean {
  if (!/^[0-3]\d{12}$/.test(digits) || isTypedRow(digits)) return false;
  return Number(digits.slice(0, 10)) % 511 === Number(digits.slice(10));
}

/** Cards before 2021: year, month, place and serial; since then nine letters and digits. */
export function frenchCardPlausible(plain: string): boolean {
  if (plain.length === 12) return /^\d\d(?:0[1-9]|1[0-2])/.test(plain);
  return (plain.match(/\d/g)?.length ?? 0) >= 2 && /[A-Z]/.test(plain);
}

const VAT_ALPHABET = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** VAT number: a key of two signs before the company's SIREN. Digits: 12 + 3 times the rest by 97; with a letter, modulo 11. */
export function frenchVatChecks(plain: string): boolean {
  const [, key, siren] = /^([0-9A-HJ-NP-Z]{2})(\d{9})$/.exec(plain) ?? [];
  if (key === undefined || siren === undefined || siren === '000000000' || !luhn(siren)) return false;
  if (/^\d\d$/.test(key)) return (12 + 3 * (Number(siren) % 97)) % 97 === Number(key);
  const [first, second] = [VAT_ALPHABET.indexOf(key[0]!), VAT_ALPHABET.indexOf(key[1]!)];
  const check = first < 10 ? first * 24 + second - 10 : first * 34 + second - 100;
  return (Number(siren) + 1 + Math.trunc(check / 11)) % 11 === check % 11;
}

/** SIREN, and SIRET with the five digits of an establishment: Luhn over each. */
export function siretChecks(digits: string): boolean {
  const siren = digits.slice(0, 9);
  return !/^0+$/.test(siren) && luhn(siren) && (digits.length === 9 || luhn(digits));
}
