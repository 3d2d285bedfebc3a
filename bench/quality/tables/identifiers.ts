/** National identifiers with valid check digits; `random` gives digits. */

export interface Digits {
  /** A whole number, both ends included. */
  int(min: number, max: number): number;
  digits(length: number): string;
}

interface NationalId {
  readonly detector: string;
  make(random: Digits): string;
}

export const NATIONAL_IDS: Readonly<Record<string, NationalId>> = {
  en: { detector: 'SSN', make: socialSecurityNumber },
  de: { detector: 'DE_TAX_ID', make: germanTaxId },
  fr: { detector: 'FR_NIR', make: frenchNir },
  es: { detector: 'ES_DNI', make: spanishDni },
  it: { detector: 'IT_CODICE_FISCALE', make: codiceFiscale },
  pt: { detector: 'PT_NIF', make: portugueseNif },
  nl: { detector: 'NL_BSN', make: dutchBsn },
  pl: { detector: 'PL_PESEL', make: polishPesel },
  cs: { detector: 'CZ_BIRTH_NUMBER', make: czechBirthNumber },
  sv: { detector: 'SE_PERSONNUMMER', make: swedishPersonnummer },
  tr: { detector: 'TR_KIMLIK', make: turkishKimlik },
  ja: { detector: 'JP_MY_NUMBER', make: japaneseMyNumber },
};

function socialSecurityNumber(random: Digits): string {
  return `${padded(random.int(100, 665), 3)}-${padded(random.int(1, 99), 2)}-${padded(random.int(1, 9999), 4)}`;
}

/** Of the first ten digits one occurs twice, the others once at most; ISO 7064 MOD 11,10. */
function germanTaxId(random: Digits): string {
  const body = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  for (let last = body.length - 1; last > 0; last--) {
    const other = random.int(0, last);
    [body[last], body[other]] = [body[other]!, body[last]!];
  }
  body.push(body[random.int(0, 6)]!);
  let product = 10;
  for (const digit of body) {
    const sum = (digit + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return body.join('') + String((11 - product) % 10);
}

function frenchNir(random: Digits): string {
  const body =
    `${random.int(1, 2)}${padded(random.int(40, 99), 2)}${padded(random.int(1, 12), 2)}` +
    `${padded(random.int(1, 95), 2)}${padded(random.int(1, 900), 3)}${padded(random.int(1, 999), 3)}`;
  return body + padded(97 - Number(BigInt(body) % 97n), 2);
}

function spanishDni(random: Digits): string {
  const number = random.int(10_000_000, 99_999_999);
  return `${number}${'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}`;
}

const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

function codiceFiscale(random: Digits): string {
  const letters = (from: string, length: number) =>
    Array.from({ length }, () => from[random.int(0, from.length - 1)]!).join('');
  const born = `${padded(random.int(40, 99), 2)}${letters('ABCDEHLMPRST', 1)}${padded(random.int(1, 28), 2)}`;
  const body = `${letters('BCDFGLMNPRSTV', 6)}${born}${letters('ABCDEFGHIL', 1)}${padded(random.int(101, 999), 3)}`;
  let sum = 0;
  for (const [place, character] of [...body].entries()) {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    sum += place % 2 === 0 ? ODD_VALUES[value]! : value;
  }
  return body + String.fromCharCode(65 + (sum % 26));
}

function portugueseNif(random: Digits): string {
  const body = `2${random.digits(7)}`;
  const rest = 11 - (weighted(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return body + String(rest >= 10 ? 0 : rest);
}

function dutchBsn(random: Digits): string {
  const body = `${random.int(1, 7)}${random.digits(7)}`;
  const rest = weighted(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return rest === 10 ? dutchBsn(random) : body + String(rest);
}

function polishPesel(random: Digits): string {
  const body = `${padded(random.int(40, 99), 2)}${padded(random.int(1, 12), 2)}${padded(random.int(1, 28), 2)}${random.digits(4)}`;
  return body + String((10 - (weighted(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10);
}

function czechBirthNumber(random: Digits): string {
  const woman = random.int(0, 1) * 50;
  const body = `${padded(random.int(55, 99), 2)}${padded(random.int(1, 12) + woman, 2)}${padded(random.int(1, 28), 2)}${random.digits(3)}`;
  const check = Number(body) % 11;
  return check === 10 ? czechBirthNumber(random) : `${body.slice(0, 6)}/${body.slice(6)}${check}`;
}

function swedishPersonnummer(random: Digits): string {
  const born = `${padded(random.int(40, 99), 2)}${padded(random.int(1, 12), 2)}${padded(random.int(1, 28), 2)}`;
  const serial = random.digits(3);
  return `19${born}-${serial}${luhnDigit(born + serial)}`;
}

function turkishKimlik(random: Digits): string {
  const body = `${random.int(1, 9)}${random.digits(8)}`;
  const at = (place: number) => Number(body[place]);
  const odd = at(0) + at(2) + at(4) + at(6) + at(8);
  const even = at(1) + at(3) + at(5) + at(7);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return `${body}${tenth}${(odd + even + tenth) % 10}`;
}

function japaneseMyNumber(random: Digits): string {
  const body = `${random.int(1, 9)}${random.digits(10)}`;
  const rest = weighted(body, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return body + String(rest <= 1 ? 0 : 11 - rest);
}

/** The digit that makes the number pass the check of Luhn. */
export function luhnDigit(body: string): string {
  let sum = 0;
  for (const [place, digit] of [...body].reverse().entries()) {
    const doubled = place % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}

function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0);
}

function padded(number: number, length: number): string {
  return String(number).padStart(length, '0');
}
