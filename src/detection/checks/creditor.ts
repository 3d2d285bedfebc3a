import { mod97 } from './mod97.ts';

/** SEPA creditor identifier: like an IBAN, but the three letters of the business code are not part of the checksum. */
export function creditorChecks(text: string): boolean {
  return /^[A-Z]{2}\d\d[A-Z0-9]{4,31}$/.test(text) && mod97(text.slice(7) + text.slice(0, 4)) === 1;
}
