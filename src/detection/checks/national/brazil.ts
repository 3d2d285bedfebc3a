import { oneDigitOnly, weightedSum } from '../check-digits.ts';

const CPF_FIRST = [10, 9, 8, 7, 6, 5, 4, 3, 2];
const CPF_SECOND = [11, ...CPF_FIRST];
const CNPJ_FIRST = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ_SECOND = [6, ...CNPJ_FIRST];
const PIS = [3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/** Eleven minus the rest; 10 and 11 are written 0. */
function digitOf(sum: number): string {
  const rest = sum % 11;
  return rest < 2 ? '0' : String(11 - rest);
}

/** Natural persons: nine digits, two check digits. */
export function cpfChecks(cpf: string): boolean {
  if (oneDigitOnly(cpf)) return false;
  return cpf[9] === digitOf(weightedSum(cpf, CPF_FIRST)) && cpf[10] === digitOf(weightedSum(cpf, CPF_SECOND));
}

/** Companies: root, branch, two check digits. Since 2026 letters may precede these, with a value of their ASCII code minus 48. */
export function cnpjChecks(cnpj: string): boolean {
  if (oneDigitOnly(cnpj)) return false;
  return (
    cnpj[12] === digitOf(weightedSum(cnpj, CNPJ_FIRST)) &&
    cnpj[13] === digitOf(weightedSum(cnpj, CNPJ_SECOND))
  );
}

/** PIS, PASEP, NIS and NIT are one number of eleven digits. */
export function pisChecks(pis: string): boolean {
  return !oneDigitOnly(pis) && pis[10] === digitOf(weightedSum(pis, PIS));
}

const RISING = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const FALLING = [9, 8, 7, 6, 5, 4, 3, 2, 1];

/** Driver's licence: where the first check digit would be 10 it is 0, and the second one is two less. */
export function cnhChecks(cnh: string): boolean {
  if (oneDigitOnly(cnh)) return false;
  const first = weightedSum(cnh, FALLING) % 11;
  const second = weightedSum(cnh, RISING) % 11;
  if (first < 10) return cnh.slice(9) === `${first}${second % 10}`;
  const less = second - 2 < 0 ? second + 9 : second - 2;
  // Offices differ where the second would be 10 too; both ways occur.
  return cnh.slice(9) === `0${less % 10}` || (second === 10 && cnh.slice(9) === '00');
}

const VOTER = [2, 3, 4, 5, 6, 7, 8, 9];

/** Voter's title: eight digits, the state 01–28, two check digits; São Paulo and Minas Gerais write 1 for a rest of 0. */
export function voterTitleChecks(title: string): boolean {
  const state = Number(title.slice(8, 10));
  if (state < 1 || state > 28) return false;
  const digit = (sum: number): number => {
    const rest = sum % 11;
    return rest === 0 && state < 3 ? 1 : rest % 10;
  };
  const first = digit(weightedSum(title, VOTER));
  const second = digit(weightedSum(title.slice(8, 10), [7, 8]) + first * 9);
  return title.slice(10) === `${first}${second}`;
}

const RENAVAM = [3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/** Vehicle register. */
export function renavamChecks(renavam: string): boolean {
  return !oneDigitOnly(renavam) && renavam[10] === String(((weightedSum(renavam, RENAVAM) * 10) % 11) % 10);
}

const HEALTH_CARD = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

/** Card of the health service: the weighted sum is a multiple of 11; 1 and 2 are for good, 7 to 9 for a while. */
export function healthCardChecks(card: string): boolean {
  return /^[12789]/.test(card) && weightedSum(card, HEALTH_CARD) % 11 === 0;
}
