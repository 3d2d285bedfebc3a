import { beginsWithYymmdd, dayExists } from '../calendar-date.ts';
import { luhn, weightedSum } from '../check-digits.ts';

/** Numbers printed in advertisements and on sample cards, which are not valid. */
const ADVERTISED = new Set(['078051120', '219099999', '457555462']);

/** US Social Security: areas 000, 666 and 900–999, group 00 and serial 0000 are never issued. */
export function ssnIssuable(digits: string): boolean {
  const area = digits.slice(0, 3);
  if (area === '000' || area === '666' || area[0] === '9') return false;
  return digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000' && !ADVERTISED.has(digits);
}

/** 111111111, 123121234 …: valid by the rules, typed by people who test a form. */
export function ssnLooksTyped(digits: string): boolean {
  return (
    /^(\d)\1{8}$/.test(digits) || digits === '123121234' || digits === '111223333' || digits === '111222333'
  );
}

/** Social insurance: Luhn. Leading 0 and 8 are not issued to persons. */
export function sinChecks(sin: string): boolean {
  return sin[0] !== '0' && sin[0] !== '8' && luhn(sin);
}

/** Ontario's health card: ten digits by Luhn; two letters of a version may follow. */
export function ohipChecks(card: string): boolean {
  return card[0] !== '0' && luhn(card.slice(0, 10));
}

/** Quebec's health card: letters of the name, then the birth date, the month of women plus 50. */
export function ramqDated(card: string): boolean {
  const month = Number(card.slice(6, 8));
  return dayExists(month > 50 ? month - 50 : month, Number(card.slice(8, 10)));
}

/** British Columbia's personal health number: a 9, eight digits, and eleven minus the weighted rest. */
export function bcPhnChecks(phn: string): boolean {
  const rest = weightedSum(phn.slice(1), [2, 4, 8, 5, 10, 9, 7, 3]) % 11;
  return phn[0] === '9' && rest > 1 && phn[9] === String(11 - rest);
}

const STATES = new Set(
  'AS BC BS CC CL CM CS CH DF DG GT GR HG JC MC MN MS NT NL OC PL QT QR SP SL SR TC TS TL VZ YN ZS NE'.split(
    ' ',
  ),
);

const CURP_ALPHABET = '0123456789ABCDEFGHIJKLMN?OPQRSTUVWXYZ';

// ? is a placeholder for Ñ

/** Population register: initials, birth date, sex, state, consonants, a digit or letter by century, a check digit. */
export function curpChecks(curp: string): boolean {
  if (!beginsWithYymmdd(curp.slice(4)) || !STATES.has(curp.slice(11, 13))) return false;
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += CURP_ALPHABET.indexOf(curp[i]!) * (18 - i);
  return curp[17] === String((10 - (sum % 10)) % 10);
}

const RFC_ALPHABET = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ ?';

// ? is a placeholder for Ñ

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
