import { luhn } from './luhn.ts';

/** US National Provider Identifier: Luhn over the ten digits after the card issuer prefix 80840. */
export function npiChecks(digits: string): boolean {
  return /^[12]\d{9}$/.test(digits) && luhn(`80840${digits}`);
}
