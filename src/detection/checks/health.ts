import { luhn } from './check-digits.ts';

/** US National Provider Identifier: Luhn over the ten digits after the card issuer prefix 80840. */
export function npiChecks(digits: string): boolean {
  return /^[12]\d{9}$/.test(digits) && luhn(`80840${digits}`);
}

/** US DEA registration: registrant letter, initial or 9, six digits and (d1+d3+d5 + 2(d2+d4+d6)) mod 10. */
export function deaChecks(text: string): boolean {
  if (!/^[ABCDEFGHJKLMPRSTUX][A-Z9]\d{7}$/.test(text)) return false;
  const d = (n: number) => Number(text[n + 1]);
  if (/^0+$/.test(text.slice(2))) return false;
  return (d(1) + d(3) + d(5) + 2 * (d(2) + d(4) + d(6))) % 10 === d(7);
}

const LETTER = '[AC-HJKMNP-RT-Y]';

// no S, L, O, I, B, Z
const EITHER = '[0-9AC-HJKMNP-RT-Y]';

const SHAPE = new RegExp(`^[1-9]${LETTER}${EITHER}\\d${LETTER}${EITHER}\\d${LETTER}${LETTER}\\d\\d$`);

/** US Medicare Beneficiary Identifier: eleven positions, each with its own alphabet. There is no check digit. */
export function mbiShaped(text: string): boolean {
  return SHAPE.test(text);
}
