/** Check digits, computed: the planted values pass the same checks that distinguish real numbers from look-alikes. */
import { createHash } from 'node:crypto';

/** The digit that makes `body` followed by it pass Luhn (cards; NPI after the prefix 80840). */
export function luhnDigit(body: string): string {
  let sum = 0;
  [...body].reverse().forEach((char, index) => {
    const digit = Number(char) * (index % 2 === 0 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  });
  return String((10 - (sum % 10)) % 10);
}

/** Two check digits of an IBAN (ISO 7064 MOD 97-10). */
export function ibanCheck(country: string, account: string): string {
  return String(98 - modulo97(`${account}${country}00`)).padStart(2, '0');
}

/** The key at the end of a French account number. */
export function ribKey(bank: string, branch: string, account: string): string {
  return String(97 - modulo97(`${bank}${branch}${account}00`)).padStart(2, '0');
}

/** The ninth digit of a US bank routing number: weights 3, 7, 1. */
export function abaDigit(body: string): string {
  const sum = [...body].reduce((total, char, index) => total + Number(char) * [3, 7, 1][index % 3]!, 0);
  return String((10 - (sum % 10)) % 10);
}

/** The seventh digit of a DEA registration: odd places once, even places twice. */
export function deaDigit(body: string): string {
  const sum = [...body].reduce((total, char, index) => total + Number(char) * (index % 2 === 0 ? 1 : 2), 0);
  return String(sum % 10);
}

/** The tenth digit of an NHS number, or null where modulo 11 gives the impossible digit 10. */
export function nhsDigit(body: string): string | null {
  const sum = [...body].reduce((total, char, index) => total + Number(char) * (10 - index), 0);
  const digit = (11 - (sum % 11)) % 11;
  return digit === 10 ? null : String(digit);
}

/** The ninth character of a vehicle number, from the other sixteen around a `0`. */
export function vinDigit(vin: string): string {
  const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';
  const values = [...'12345678123457923456789'].map(Number);
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
  const worth = (char: string) => (/\d/.test(char) ? Number(char) : values[letters.indexOf(char)]!);
  const sum = [...vin].reduce((total, char, index) => total + worth(char) * weights[index]!, 0);
  return sum % 11 === 10 ? 'X' : String(sum % 11);
}

/** Base58 of version, payload and the first four bytes of its double SHA-256: a Bitcoin address. */
export function base58Check(version: number, payload: Buffer): string {
  const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  const versioned = Buffer.concat([Buffer.of(version), payload]);
  const bytes = Buffer.concat([versioned, sha(sha(versioned)).subarray(0, 4)]);
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let number = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)]! + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros) + text;
}

function modulo97(text: string): number {
  const digits = text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return Number(BigInt(digits) % 97n);
}
