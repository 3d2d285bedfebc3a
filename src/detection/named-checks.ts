/** The checks that a rule set can refer to by name: `luhn`, `entropy>3.5`. */
import { abaChecks } from './checks/aba.ts';
import { base58Payload } from './checks/base58check.ts';
import { bech32Checks } from './checks/bech32.ts';
import { luhn, mod97, mod1110, verhoeff } from './checks/check-digits.ts';
import { entropy } from './checks/entropy.ts';
import { ibanChecks } from './checks/iban.ts';
import { isPlaceholder } from './checks/placeholder.ts';
import { vinChecks } from './checks/vin.ts';
import { REASON } from './reasons.ts';

export interface NamedCheck {
  readonly name: string;
  /** The reason added to a finding that passed; 0: none. */
  readonly reason: number;
  passes(value: string): boolean;
}

const checksum = (name: string, passes: (value: string) => boolean): NamedCheck => ({
  name,
  passes,
  reason: REASON.checksum,
});
const shapeCheck = (name: string, passes: (value: string) => boolean): NamedCheck => ({
  name,
  passes,
  reason: 0,
});

/** Checks get the digits and letters without separators; `base58check` and `bech32` get the value as it is. */
const KNOWN: readonly NamedCheck[] = [
  checksum('luhn', (value) => isLuhn(digitsOf(value))),
  checksum('verhoeff', (value) => digitsOf(value).length > 1 && verhoeff(digitsOf(value))),
  checksum('mod11_10', (value) => digitsOf(value).length > 1 && mod1110(digitsOf(value))),
  checksum('mod97', (value) => mod97(plain(value)) === 1),
  checksum('iban', (value) => ibanChecks(plain(value))),
  checksum('aba', (value) => abaChecks(digitsOf(value))),
  checksum('vin', (value) => vinChecks(plain(value))),
  checksum('base58check', isBase58Check),
  checksum('bech32', bech32Checks),
  shapeCheck('not_placeholder', (value) => !isPlaceholder(value)),
  shapeCheck('not_repeated', (value) => new Set(value).size > 2),
  shapeCheck('has_digit', (value) => /\d/.test(value)),
  shapeCheck('has_letter', (value) => /[a-z]/i.test(value)),
];

const ENTROPY = /^entropy\s*>\s*(\d(?:\.\d+)?)$/;

export const CHECK_NAMES: readonly string[] = [...KNOWN.map(({ name }) => name), 'entropy>3.5'];

/** Returns null if no such check exists. */
export function checkNamed(name: string): NamedCheck | null {
  const bits = ENTROPY.exec(name)?.[1];
  if (bits !== undefined)
    return { name, reason: REASON.entropy, passes: (value) => entropy(value) > Number(bits) };
  return KNOWN.find((check) => check.name === name) ?? null;
}

function isLuhn(digits: string): boolean {
  return digits.length > 1 && luhn(digits);
}

/** The number of decoded bytes is not specified, so every length that the number of characters allows is tried. */
function isBase58Check(value: string): boolean {
  const about = Math.ceil((value.length * Math.log2(58)) / 8);
  return [about - 1, about, about + 1].some((size) => size > 4 && base58Payload(value, size) !== null);
}

function digitsOf(value: string): string {
  return value.replace(/\D/g, '');
}

function plain(value: string): string {
  return value.toUpperCase().replace(/[^A-Z0-9]/g, '');
}
