import { beginsWithYymmdd } from './calendar-date.ts';

const STATES = new Set(
  'AS BC BS CC CL CM CS CH DF DG GT GR HG JC MC MN MS NT NL OC PL QT QR SP SL SR TC TS TL VZ YN ZS NE'.split(
    ' ',
  ),
);
const CURP_ALPHABET = '0123456789ABCDEFGHIJKLMN?OPQRSTUVWXYZ'; // ? is a placeholder for Ñ

/** Population register: initials, birth date, sex, state, consonants, a digit or letter by century, a check digit. */
export function curpChecks(curp: string): boolean {
  if (!beginsWithYymmdd(curp.slice(4)) || !STATES.has(curp.slice(11, 13))) return false;
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += CURP_ALPHABET.indexOf(curp[i]!) * (18 - i);
  return curp[17] === String((10 - (sum % 10)) % 10);
}

const RFC_ALPHABET = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ ?'; // ? is a placeholder for Ñ

/** Tax register: four letters of a person or three of a company, a date, two of a homonym, a check character. */
export function rfcChecks(rfc: string): boolean {
  if (!beginsWithYymmdd(rfc.slice(-9))) return false;
  const padded = rfc.padStart(13, ' ');
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += RFC_ALPHABET.indexOf(padded[i]!) * (13 - i);
  return padded[12] === '0123456789A'[(11 - (sum % 11)) % 11];
}

/** Bank account: bank, place, account, and a check digit by the weights 3, 7, 1, each product modulo 10. */
export function clabeChecks(clabe: string): boolean {
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += (Number(clabe[i]) * [3, 7, 1][i % 3]!) % 10;
  return clabe[17] === String((10 - (sum % 10)) % 10) && BANKS.test(clabe);
}

/** Banks are 002–168, other institutes 6xx, 7xx and 9xx. */
const BANKS = /^(?:00[2-9]|01\d|02[1-9]|03[0267]|04[2-4]|05[89]|06[0-2]|072|1[0-6]\d|6\d\d|7\d\d|90[123])/;
