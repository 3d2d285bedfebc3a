/** Values of generated tables. */
import type { ColumnKind } from './headers.ts';
import { type Digits, luhnDigit, NATIONAL_IDS } from './identifiers.ts';
import type { Language } from './languages.ts';

export interface Row {
  readonly cells: ReadonlyMap<ColumnKind, string>;
  /** Whether the library that makes the values knows both names. */
  readonly listedName: boolean;
}

const PASSWORD_SIGNS = '!#$%&*+-.?@_';
const CARD_PREFIXES = ['4539', '4716', '5213', '5425', '3782'];
const STATUSES = ['open', 'closed', 'shipped', 'in progress'];
const AMERICAN_EXPRESS = 15;

/** Takes all randomness from the library, which is seeded for every table. */
export function makeRow(language: Language, number: number): Row {
  const { faker, code } = language;
  const listedName = faker.datatype.boolean();
  const first = listedName ? faker.person.firstName() : faker.helpers.arrayElement(language.rareFirst);
  const last = listedName ? faker.person.lastName() : faker.helpers.arrayElement(language.rareLast);
  const street = faker.location.streetAddress();
  const city = faker.location.city();
  const postalCode = faker.helpers.replaceSymbols(language.postalCode).replace('AB', 'KL');
  const cells: [ColumnKind, string][] = [
    ['first_name', first],
    ['last_name', last],
    ['full_name', fullName(code, first, last, number)],
    ['email', faker.internet.email(code === 'ja' ? {} : { firstName: first, lastName: last }).toLowerCase()],
    ['phone', numbered(language, faker.helpers.arrayElement(language.phones))],
    ['street', street],
    ['full_address', fullAddress(code, street, postalCode, city)],
    ['postal_code', numbered(language, postalCode)],
    ['birth_date', dateIn(language)],
    ['national_id', NATIONAL_IDS[code]!.make(digitsOf(language))],
    ['iban', faker.finance.iban({ countryCode: language.ibanCountry, formatted: number % 2 === 0 })],
    ['card', cardNumber(language, number)],
    ['user_name', faker.internet.username().toLowerCase()],
    ['password', password(language)],
    ['salary', language.money(faker.number.int({ min: 24, max: 190 }) * 500)],
    ['ip', hostAddress(language)],
    ...neutralCells(language, city, number),
  ];
  return { cells: new Map(cells), listedName };
}

function neutralCells(language: Language, city: string, number: number): [ColumnKind, string][] {
  const { faker } = language;
  const created = faker.date.between({ from: '2019-01-01', to: '2025-12-31' });
  return [
    ['city', city],
    ['product', faker.commerce.productName()],
    ['quantity', String(faker.number.int({ min: 1, max: 400 }))],
    [
      'sku',
      `${faker.string.alpha({ length: 2, casing: 'upper' })}-${faker.string.numeric(5)}-${faker.string.numeric(2)}`,
    ],
    ['created', created.toISOString().replace('T', ' ').slice(0, 19)],
    ['status', faker.helpers.arrayElement(STATUSES)],
    ['notes', language.remark],
    [
      'order_number',
      number % 2 === 0 ? faker.string.numeric({ length: 10 }) : `ORD-2024-${faker.string.numeric(6)}`,
    ],
    ['record_id', faker.string.hexadecimal({ length: 24, prefix: '', casing: 'lower' })],
    ['uuid', faker.string.uuid()],
    ['price', faker.commerce.price()],
    ['counter', faker.string.numeric({ length: { min: 5, max: 9 }, allowLeadingZeros: false })],
  ];
}

function fullName(code: string, first: string, last: string, number: number): string {
  if (code === 'ja') return `${last}${number % 2 === 0 ? ' ' : ''}${first}`;
  return number % 4 === 3 ? `${last}, ${first}` : `${first} ${last}`;
}

function fullAddress(code: string, street: string, postalCode: string, city: string): string {
  if (code === 'en') return `${street}, ${city}, CA ${postalCode}`;
  if (code === 'ja') return `〒${postalCode} ${city}${street}`;
  return `${street}, ${postalCode} ${city}`;
}

/** `#`: any digit, `^`: not 0 or 1. */
function numbered({ faker }: Language, pattern: string): string {
  return pattern
    .replace(/#/g, () => faker.string.numeric())
    .replace(/\^/g, () => String(faker.number.int({ min: 2, max: 9 })));
}

function dateIn({ faker, date }: Language): string {
  const born = faker.date.between({ from: '1940-01-01', to: '2004-12-31' }).toISOString();
  return date.replace('y', born.slice(0, 4)).replace('m', born.slice(5, 7)).replace('d', born.slice(8, 10));
}

function digitsOf({ faker }: Language): Digits {
  return {
    int: (min, max) => faker.number.int({ min, max }),
    digits: (length) => faker.string.numeric({ length }),
  };
}

function cardNumber({ faker }: Language, row: number): string {
  const prefix = faker.helpers.arrayElement(CARD_PREFIXES);
  const length = prefix.startsWith('37') ? AMERICAN_EXPRESS : 16;
  const body = prefix + faker.string.numeric({ length: length - 1 - prefix.length });
  const card = body + luhnDigit(body);
  if (row % 2 === 0) return card;
  return length === AMERICAN_EXPRESS
    ? card.replace(/^(\d{4})(\d{6})/, '$1 $2 ')
    : card.replace(/(\d{4})(?=\d)/g, '$1 ');
}

/** Multicast and reserved addresses are not those of a host. */
function hostAddress({ faker }: Language): string {
  const part = () => faker.number.int({ min: 0, max: 255 });
  const first = faker.helpers.arrayElement([10, 172, 192, faker.number.int({ min: 11, max: 126 }), 203]);
  return [first, part(), part(), faker.number.int({ min: 1, max: 254 })].join('.');
}

function password({ faker }: Language): string {
  const sign = () => faker.helpers.arrayElement([...PASSWORD_SIGNS]);
  const letters = () => faker.string.alphanumeric({ length: faker.number.int({ min: 3, max: 6 }) });
  return `${letters()}${sign()}${letters()}${faker.number.int({ min: 10, max: 99 })}`;
}
