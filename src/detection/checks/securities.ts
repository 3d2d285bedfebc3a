import { luhn } from './check-digits.ts';

/** CUSIP and FIGI: letters count 10–35, every second value is doubled, and the digits of all are added. */
function doubleAddDouble(body: string): number {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    const value = placeOf(body[i]!) * (i % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return (10 - (sum % 10)) % 10;
}

function placeOf(c: string): number {
  const special = '*@#'.indexOf(c);
  return special >= 0 ? 36 + special : Number.parseInt(c, 36);
}

/** Six characters for the issuer, two for the issue, a digit. */
export function cusipChecks(text: string): boolean {
  return /^[0-9A-Z*@#]{8}\d$/.test(text) && doubleAddDouble(text.slice(0, 8)) === Number(text[8]);
}

/** ISO 6166: Luhn over the digits, letters written as their two-digit values. */
export function isinChecks(text: string): boolean {
  if (!/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text)) return false;
  return luhn([...text].map((c) => Number.parseInt(c, 36)).join(''));
}

const SEDOL_WEIGHTS = [1, 3, 1, 7, 3, 9, 1];

/** London Stock Exchange: no vowels, weights 1-3-1-7-3-9-1. */
export function sedolChecks(text: string): boolean {
  if (!/^[0-9B-DF-HJ-NP-TV-Z]{6}\d$/.test(text)) return false;
  const sum = SEDOL_WEIGHTS.reduce((total, weight, i) => total + weight * Number.parseInt(text[i]!, 36), 0);
  return sum % 10 === 0;
}

/** ISO 18774: two consonants that are no country of theirs, G, eight without vowels, a digit. */
export function figiChecks(text: string): boolean {
  if (!/^[B-DF-HJ-NP-TV-Z]{2}G[0-9B-DF-HJ-NP-TV-Z]{8}\d$/.test(text)) return false;
  if (/^(?:BS|BM|GG|GB|GH|KY|VG)/.test(text)) return false;
  return doubleAddDouble(text.slice(0, 11)) === Number(text[11]);
}
