import { luhn, weightedSum } from '../check-digits.ts';

const CUIT = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** Argentina, tax and labour number: type, document number, check digit. A rest of 1 is never issued so. */
export function cuitChecks(cuit: string): boolean {
  if (!/^(?:20|2[3-7]|30|33|34)/.test(cuit)) return false;
  const rest = weightedSum(cuit, CUIT) % 11;
  return rest !== 1 && cuit[10] === String((11 - rest) % 11);
}

/** Argentina, bank account: bank and branch with their check digit, the account with its own. */
export function cbuChecks(cbu: string): boolean {
  const bank = weightedSum(cbu, [7, 1, 3, 9, 7, 1, 3]);
  const account = weightedSum(cbu.slice(8), [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3]);
  return Number(cbu[7]) === (10 - (bank % 10)) % 10 && Number(cbu[21]) === (10 - (account % 10)) % 10;
}

/** Chile: weights 2 to 7 from the right, over and over; 10 is written K. */
export function rutChecks(rut: string): boolean {
  const last = rut.length - 1;
  let sum = 0;
  for (let i = 0; i < last; i++) sum += Number(rut[last - 1 - i]) * (2 + (i % 6));
  return rut[last] === '0123456789K'[(11 - (sum % 11)) % 11];
}

const NIT = [41, 37, 29, 23, 19, 17, 13, 7, 3];

/** Colombia, tax number: primes as weights. */
export function colombiaNitChecks(nit: string): boolean {
  const rest = weightedSum(nit, NIT) % 11;
  return nit[9] === String(rest < 2 ? rest : 11 - rest);
}

/** Peru, tax number: 10 for persons, 20 for companies, 15–17 for others. */
export function peruRucChecks(ruc: string): boolean {
  if (!/^(?:10|15|16|17|20)/.test(ruc)) return false;
  return ruc[10] === String((11 - (weightedSum(ruc, CUIT) % 11)) % 10);
}

/** Uruguay, identity card. */
export function uruguayCiChecks(ci: string): boolean {
  const sum = weightedSum(ci.padStart(8, '0'), [2, 9, 8, 7, 6, 3, 4]);
  return ci.at(-1) === String((10 - (sum % 10)) % 10);
}

/** Ecuador, identity card: province 01–24 or 30 (abroad), a third digit below 6, Luhn's digit. */
export function ecuadorCedulaChecks(cedula: string): boolean {
  return inProvince(cedula) && cedula[2]! < '6' && luhn(cedula);
}

/** Ecuador, tax number: an identity card, a state body (third digit 6) or a company (9), then the branch. */
export function ecuadorRucChecks(ruc: string): boolean {
  if (!inProvince(ruc)) return false;
  if (ruc[2] === '6')
    return ruc.slice(9) !== '0000' && weightedSum(ruc, [3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
  if (ruc.slice(10) === '000') return false;
  if (ruc[2] === '9') return weightedSum(ruc, [4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0;
  return ecuadorCedulaChecks(ruc.slice(0, 10));
}

function inProvince(number: string): boolean {
  const province = Number(number.slice(0, 2));
  return (province >= 1 && province <= 24) || province === 30;
}

const RIF_KINDS: Readonly<Record<string, number>> = { V: 4, E: 8, J: 12, C: 12, P: 16, G: 20 };

/** Venezuela, tax number: the letter counts too. */
export function rifChecks(rif: string): boolean {
  const sum = RIF_KINDS[rif[0]!]! + weightedSum(rif.slice(1), [3, 2, 7, 6, 5, 4, 3, 2]);
  const rest = sum % 11;
  return rif[9] === String(rest < 2 ? 0 : 11 - rest);
}

/** Guatemala, personal code: eight digits with their check digit, department 01–22, municipality. */
export function guatemalaCuiChecks(cui: string): boolean {
  const [department, municipality] = [Number(cui.slice(9, 11)), Number(cui.slice(11))];
  if (department < 1 || department > 22 || municipality < 1 || municipality > 40) return false;
  return cui[8] === String(weightedSum(cui, [2, 3, 4, 5, 6, 7, 8, 9]) % 11);
}

/** Paraguay, tax number: weights 2, 3, 4 … from the right. */
export function paraguayRucChecks(ruc: string): boolean {
  const last = ruc.length - 1;
  let sum = 0;
  for (let i = 0; i < last; i++) sum += Number(ruc[last - 1 - i]) * (2 + i);
  return ruc[last] === String(((11 - (sum % 11)) % 11) % 10);
}

/** El Salvador, identity document. */
export function duiChecks(dui: string): boolean {
  const sum = weightedSum(dui, [9, 8, 7, 6, 5, 4, 3, 2]);
  return dui[8] === String((10 - (sum % 10)) % 10);
}
