import { beginsWithBirthDate, beginsWithYymmdd } from '../calendar-date.ts';
import { luhn, oneDigitOnly, weightedSum } from '../check-digits.ts';
import { isTypedRow } from '../placeholder.ts';

/** Israel: nine digits by Luhn, short ones filled with zeros. */
export function teudatZehutChecks(id: string): boolean {
  return !oneDigitOnly(id) && luhn(id);
}

/** Emirates: 784, the year of birth, seven digits, Luhn's digit. */
export function emiratesIdChecks(id: string): boolean {
  const year = Number(id.slice(3, 7));
  return id.startsWith('784') && year >= 1900 && year <= 2050 && luhn(id);
}

/** Saudi Arabia: 1 for citizens, 2 for residents. */
export function saudiIdChecks(id: string): boolean {
  return (id[0] === '1' || id[0] === '2') && luhn(id);
}

/** Kuwait: century, birth date, serial number, a check digit. */
export function kuwaitCivilIdChecks(id: string): boolean {
  if ((id[0] !== '2' && id[0] !== '3') || !beginsWithYymmdd(id.slice(1))) return false;
  return id[11] === String(11 - (weightedSum(id, [2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11));
}

const GOVERNORATES = /^(?:0[1-4]|1[1-9]|2[1-9]|3[1-5]|88)$/;

/** Egypt: 2 for the 1900s, 3 for the 2000s, birth date, governorate. How its last digit is found is not published. */
export function egyptIdPlausible(id: string): boolean {
  const birth = `${id[0] === '2' ? '19' : '20'}${id.slice(1, 7)}`;
  return beginsWithBirthDate(birth) && GOVERNORATES.test(id.slice(7, 9));
}

/** South Africa: birth date, sex, citizenship 0–2, a digit without meaning today, Luhn's digit. */
export function southAfricaIdChecks(id: string): boolean {
  return beginsWithYymmdd(id) && id[10]! <= '2' && luhn(id);
}

/** Iran: ten digits by modulo 11. */
export function iranCodeChecks(code: string): boolean {
  if (oneDigitOnly(code)) return false;
  const rest = weightedSum(code, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return code[9] === String(rest < 2 ? rest : 11 - rest);
}

/** Kazakhstan: birth date, century and sex, serial number; a second set of weights if the first gives 10. */
export function kazakhIinChecks(iin: string): boolean {
  if (!beginsWithYymmdd(iin) || iin[6]! < '1' || iin[6]! > '6') return false;
  const first = weightedSum(iin, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) % 11;
  const check = first < 10 ? first : weightedSum(iin, [3, 4, 5, 6, 7, 8, 9, 10, 11, 1, 2]) % 11;
  return iin[11] === String(check);
}

/** T.C. kimlik no: the tenth digit is computed from odd and even positions, the eleventh from the sum of all before. */
export function kimlikChecks(digits: string): boolean {
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const tenth = (weightedSum(digits, [7, -1, 7, -1, 7, -1, 7, -1, 7]) + 100) % 10;
  const eleventh = weightedSum(digits, Array(10).fill(1)) % 10;
  return tenth === Number(digits[9]) && eleventh === Number(digits[10]);
}

/** Vergi kimlik no: each digit is shifted by its position and then multiplied by a power of two, modulo 9. */
export function vergiChecks(digits: string): boolean {
  if (!/^\d{10}$/.test(digits) || isTypedRow(digits)) return false;
  let sum = Number(digits[9]);
  for (let i = 0; i < 9; i++) {
    const moved = (Number(digits[i]) + 9 - i) % 10;
    sum += moved === 0 ? 0 : (moved * 2 ** (9 - i)) % 9 || 9;
  }
  return sum % 10 === 0;
}
