/**
 * Invented numbers that pass their checks. Where a register reserves numbers for fictional use (555-01xx phones,
 * Ofcom's drama numbers, NHS numbers from 999, documentation networks), they are taken from there.
 */
import { createHash } from 'node:crypto';
import {
  abaDigit,
  base58Check,
  deaDigit,
  ibanCheck,
  luhnDigit,
  nhsDigit,
  ribKey,
  vinDigit,
} from './checksums.ts';
import type { Random } from './random.ts';
import { plant } from './share.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Areas above 799 were never issued before 2011, and all people here are adults. */
export function ssn(random: Random): string {
  return plant(
    'SSN',
    `${random.int(801, 899)}-${random.padded(98, 2).replace('00', '41')}-${random.int(1001, 9998)}`,
  );
}

/** Prefixes that payment sandboxes use, not those of a bank. */
export function creditCard(random: Random, separator = ' '): string {
  const [prefix, groups] = random.pick([
    ['400000', [4, 4, 4, 4]],
    ['510000', [4, 4, 4, 4]],
    ['370000', [4, 6, 5]],
  ] as const);
  const length = groups.reduce((sum, size) => sum + size, 0);
  const body = prefix + random.digits(length - prefix.length - 1);
  return plant('CREDIT_CARD', grouped(body + luhnDigit(body), groups, separator));
}

/** The numbers every payment guide prints. */
export const SANDBOX_CARDS = [
  '4111111111111111',
  '5555555555554444',
  '378282246310005',
  '6011111111111117',
].map((number) => plant('CREDIT_CARD', number));

export function iban(random: Random, country: 'DE' | 'GB' | 'FR' | 'NL', spaced = false): string {
  const account = { DE: germanAccount, GB: britishAccount, FR: frenchAccount, NL: dutchAccount }[country](
    random,
  );
  const number = country + ibanCheck(country, account) + account;
  return plant('IBAN', spaced ? number.replace(/.{4}(?=.)/g, '$& ') : number);
}

// No German bank code begins with 9, and no bank is called SEIN, BWTR or 00000.
const germanAccount = (random: Random) => `9${random.digits(17)}`;
const britishAccount = (random: Random) => `SEIN0000${random.digits(10)}`;
const dutchAccount = (random: Random) => `BWTR0${random.digits(9)}`;
function frenchAccount(random: Random): string {
  const account = random.digits(11);
  return `0000000001${account}${ribKey('00000', '00001', account)}`;
}

export function abaRouting(random: Random): string {
  const body = `0${random.int(1, 9)}00${random.digits(4)}`;
  return plant('ABA_ROUTING', body + abaDigit(body));
}

/** NPIs begin with 1 or 2; those with 2 are not issued. */
export function npi(random: Random): string {
  const body = `2${random.digits(8)}`;
  return plant('NPI', body + luhnDigit(`80840${body}`));
}

export function dea(random: Random, surname: string): string {
  const body = random.digits(6);
  return plant('DEA', random.pick(['B', 'F', 'M']) + surname.charAt(0).toUpperCase() + body + deaDigit(body));
}

export function medicareId(random: Random, separator = '-'): string {
  const shape = [`${random.int(1, 9)}A*9`, 'A*9', 'AA99'].join(separator);
  const letters = 'ACDEFGHJKMNPQRTUVWXY';
  const fill = (kind: string) =>
    random.pick([...(kind === 'A' ? letters : kind === '9' ? '0123456789' : `${letters}123456789`)]);
  return plant('MEDICARE_ID', shape.charAt(0) + shape.slice(1).replace(/[A*9]/g, fill));
}

export function vin(random: Random): string {
  const vin = `${random.pick(['1BW', '5BW'])}${random.text(`${LETTERS.replace('Q', '')}123456789`, 5)}0${random.pick(['L', 'M', 'N'])}A${random.digits(6)}`;
  return plant('VIN', vin.slice(0, 8) + vinDigit(vin) + vin.slice(9));
}

export function nhsNumber(random: Random, separator = ' '): string {
  for (;;) {
    const body = `999${random.digits(6)}`;
    const digit = nhsDigit(body);
    if (digit !== null) return plant('NHS_NUMBER', grouped(body + digit, [3, 3, 4], separator));
  }
}

export function nino(random: Random, separator = ' '): string {
  const number = random.pick(['JX', 'WZ', 'YP', 'RX']) + random.digits(6) + random.pick(['A', 'B', 'C', 'D']);
  return plant('NINO', grouped(number, [2, 2, 2, 2, 1], separator));
}

/** The hash of a sentence instead of a key: the address has no private key. */
export function bitcoinAddress(random: Random): string {
  const payload = createHash('sha256')
    .update(`no key hashes to this ${random.digits(9)}`)
    .digest()
    .subarray(0, 20);
  return plant('BITCOIN_ADDRESS', base58Check(0, payload));
}

function grouped(digits: string, sizes: readonly number[], separator: string): string {
  const ends = sizes.map((_, n) => sizes.slice(0, n + 1).reduce((sum, size) => sum + size, 0));
  return ends.map((end, n) => digits.slice(end - sizes[n]!, end)).join(separator);
}
