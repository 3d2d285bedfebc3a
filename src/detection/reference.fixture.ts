/**
 * A naive reference for detection: per type one expression over the whole text, and its check. It covers only the plain form of a type,
 * clearly delimited; the scanner must find everything it finds, and what the scanner finds must pass its checks.
 */
import { abaChecks } from './checks/aba.ts';
import { base58Payload } from './checks/base58check.ts';
import { segwitChecks } from './checks/bech32.ts';
import { cardBrand } from './checks/card.ts';
import { luhn, mod97 } from './checks/check-digits.ts';
import { eip55Checks } from './checks/crypto-addresses.ts';
import { entropy, looksRandom } from './checks/entropy.ts';
import { deaChecks, mbiShaped, npiChecks } from './checks/health.ts';
import { ibanChecks } from './checks/iban.ts';
import { oibChecks } from './checks/national/balkans.ts';
import { bsnChecks } from './checks/national/benelux.ts';
import { cpfChecks } from './checks/national/brazil.ts';
import { nhsChecks } from './checks/national/britain-ireland.ts';
import { peselChecks } from './checks/national/central-europe.ts';
import { steuerIdChecks } from './checks/national/germany.ts';
import { curpChecks, sinChecks, ssnIssuable } from './checks/national/north-america.ts';
import { tfnChecks } from './checks/national/oceania.ts';
import { aadhaarChecks } from './checks/national/south-asia.ts';
import { codiceFiscaleChecks } from './checks/national/southern-europe.ts';
import { isFiller } from './checks/placeholder.ts';
import { cusipChecks, isinChecks } from './checks/securities.ts';
import { vinChecks } from './checks/vin.ts';

interface Kind {
  readonly id: string;
  /** Words one of which must precede it; optional. */
  readonly label?: string;
  readonly shape: RegExp;
  /** Of the value as written. */
  check(value: string): boolean;
}

interface Place {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

export function findSlowly(text: string): Place[] {
  return KINDS.flatMap((kind) =>
    [...text.matchAll(expressions.get(kind)!)]
      .map((match) => ({ value: match[1]!, end: match.index + match[0].length }))
      .filter(({ value }) => kind.check(value))
      .map(({ value, end }) => ({ id: kind.id, start: end - value.length, end })),
  );
}

/** Returns null if the reference does not cover the type. */
export function checksSlowly(id: string, value: string): boolean | null {
  return KINDS.find((kind) => kind.id === id)?.check(value) ?? null;
}

/** A prefix, a number of characters of an alphabet, and no placeholder. */
function token(id: string, prefix: RegExp, letters: string, size: number, length: string): Kind {
  const words = /^(?:[a-z._-]+|[A-Z._-]+)$/;
  return {
    id,
    shape: new RegExp(`(?:${prefix.source})${letters}{${length}}`),
    check(value) {
      const body = value.replace(new RegExp(`^(?:${prefix.source})`), '');
      return !isFiller(body) && !words.test(body) && looksRandom(entropy(body), body.length, size);
    },
  };
}

function digitsOf(value: string): string {
  return value.replace(/\D/g, '');
}

function plain(value: string): string {
  return value.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** Four numbers after such a word are a version. */
const NO_VERSION = `(?<!(?:^|[^A-Za-z])(?i:version|release|build|ver|rev|v|firmware|upgraded? to|section|chapter)[ .:="'#-]*)`;
const SMALL = '[1-3]?\\d';
/** Numbers as small as those of sections are found next to a word that speaks of a host only. */
const NO_SECTION = `(?!${SMALL}\\.(?:${SMALL}\\.${SMALL}\\.|${SMALL}\\.\\d+\\.${SMALL}(?!\\d)|\\d+\\.${SMALL}\\.${SMALL}(?!\\d))|40(?:\\.${SMALL}){3}(?!\\d))`;
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

export const KINDS: readonly Kind[] = [
  { id: 'SSN', shape: /\d{3}-\d{2}-\d{4}/, check: (value) => ssnIssuable(digitsOf(value)) },
  {
    id: 'CREDIT_CARD',
    shape: /(?:4\d{3}|5[1-5]\d\d)(?:\d{12}|(?:-\d{4}){3})|3[47]\d{13}/,
    check: (value) => cardBrand(digitsOf(value)) !== null && luhn(digitsOf(value)),
  },
  { id: 'IBAN', shape: /[A-Z]{2}\d{2}[A-Z0-9]{11,30}/, check: (value) => ibanChecks(plain(value)) },
  { id: 'EMAIL', shape: /[a-z][a-z0-9]{0,20}@[a-z]{1,20}\.(?:com|org|example)/, check: emailChecks },
  {
    id: 'IP_ADDRESS',
    shape: new RegExp(`${NO_VERSION}${NO_SECTION}(?:[1-9]\\d?|1\\d\\d)(?:\\.(?:[1-9]\\d?|1\\d\\d)){3}`),
    check: (value) =>
      value.includes(':') ||
      (value.split('.').every((part) => Number(part) < 256) && !value.startsWith('127.')),
  },
  {
    id: 'AWS_ACCESS_KEY',
    shape: /A(?:KIA|SIA)[A-Z2-7]{16}/,
    check: (value) => new Set(value.slice(4)).size > 4,
  },
  token('GITHUB_TOKEN', /gh[pousr]_/, '[A-Za-z0-9]', 63, '36'),
  token('GITLAB_TOKEN', /gl[a-z]{2,6}-/, '[A-Za-z0-9]', 64, '20'),
  token('SLACK_TOKEN', /xox[abcdeprs]-|xapp-/, '[A-Za-z0-9-]', 63, '24,200'),
  token('STRIPE_KEY', /[sr]k_(?:live|test)_|whsec_/, '[A-Za-z0-9]', 62, '32'),
  token('GOOGLE_API_KEY', /AIza|AQ\.Ab8RN6/, '[A-Za-z0-9_-]', 64, '35'),
  token('NPM_TOKEN', /npm_/, '[A-Za-z0-9]', 62, '36'),
  token('DIGITALOCEAN_TOKEN', /do[opr]_v1_/, '[a-f0-9]', 16, '64'),
  {
    id: 'JWT',
    shape: /eyJ[A-Za-z0-9_-]{12,200}\.eyJ[A-Za-z0-9_-]{1,200}\.[A-Za-z0-9_-]{16,200}/,
    check: (value) =>
      /^\{.*"alg" *:/s.test(Buffer.from(value.split('.')[0]!, 'base64url').toString('latin1')),
  },
  {
    id: 'BITCOIN_ADDRESS',
    shape: new RegExp(`[13]${BASE58}{33}|bc1[02-9ac-hj-np-z]{39}`),
    check: (value) => (/^bc1/i.test(value) ? segwitChecks(value) : base58Payload(value, 25) !== null),
  },
  {
    id: 'ETHEREUM_ADDRESS',
    shape: /0x(?=\w*[a-f])(?=\w*[A-F])(?=(?:\d*[a-fA-F]){6})[0-9a-fA-F]{40}/,
    check: (value) =>
      new Set(value.toLowerCase().slice(2)).size > 5 &&
      (!/[a-f].*[A-F]|[A-F].*[a-f]/.test(value.slice(2)) || eip55Checks(value.slice(2))),
  },
  { id: 'LEI', shape: /\d{4}00(?=\d*[A-Z])[A-Z0-9]{12}\d{2}/, check: (value) => mod97(value) === 1 },
  { id: 'ISIN', shape: /DE000[A-Z0-9]{6}\d/, check: isinChecks },
  { id: 'MEDICARE_ID', shape: /[1-9][A-Z][A-Z0-9]\d-?[A-Z][A-Z0-9]\d-?[A-Z]{2}\d{2}/, check: medicareChecks },
  { id: 'NINO', shape: /[A-Z]{2}\d{6}[A-D]/, check: (value) => NINO.test(plain(value)) },
  { id: 'VIN', shape: /[A-HJ-NPR-Z0-9]{17}/, check: vinChecks },
  { id: 'BR_CPF', shape: /\d{3}\.\d{3}\.\d{3}-\d{2}/, check: (value) => cpfChecks(digitsOf(value)) },
  { id: 'MX_CURP', shape: /[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d/, check: curpChecks },
  {
    id: 'IT_CODICE_FISCALE',
    shape: /[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]/,
    check: (value) => codiceFiscaleChecks(plain(value)),
  },
  { id: 'NPI', label: 'npi', shape: /\d{10}/, check: npiChecks },
  { id: 'ABA_ROUTING', label: 'aba|routing', shape: /\d{9}/, check: abaChecks },
  { id: 'DEA', label: 'dea', shape: /[A-Z][A-Z9]\d{7}/, check: deaChecks },
  {
    id: 'NHS_NUMBER',
    label: 'nhs',
    shape: /\d{10}|\d{3}-\d{3}-\d{4}/,
    check: (value) => nhsChecks(digitsOf(value)),
  },
  { id: 'IMEI', label: 'imei', shape: /\d{15}/, check: imeiChecks },
  {
    id: 'DE_TAX_ID',
    label: 'steuer-id|steuer id',
    shape: /\d{11}/,
    check: (value) => steuerIdChecks(digitsOf(value)),
  },
  { id: 'PL_PESEL', label: 'pesel', shape: /\d{11}/, check: peselChecks },
  { id: 'HR_OIB', label: 'oib', shape: /\d{11}/, check: oibChecks },
  { id: 'NL_BSN', label: 'bsn', shape: /\d{9}/, check: (value) => bsnChecks(digitsOf(value)) },
  {
    id: 'CA_SIN',
    label: 'sin',
    shape: /\d{9}|\d{3}-\d{3}-\d{3}/,
    check: (value) => sinChecks(digitsOf(value)),
  },
  {
    id: 'AU_TFN',
    label: 'tfn',
    shape: /\d{9}|\d{3}-\d{3}-\d{3}/,
    check: (value) => tfnChecks(digitsOf(value)),
  },
  {
    id: 'IN_AADHAAR',
    label: 'aadhaar',
    shape: /[2-9]\d{11}/,
    check: (value) => aadhaarChecks(digitsOf(value)),
  },
  { id: 'CUSIP', label: 'cusip', shape: /[0-9A-Z]{8}\d/, check: cusipChecks },
];

const NINO = /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/;

/** A number of one repeated digit is not a device. */
function imeiChecks(value: string): boolean {
  return luhn(digitsOf(value)) && !/^(\d)\1+$/.test(digitsOf(value));
}

function medicareChecks(value: string): boolean {
  return (!value.includes('-') || /^.{4}-.{3}-.{4}$/.test(value)) && mbiShaped(value.replaceAll('-', ''));
}

function emailChecks(value: string): boolean {
  const [local = '', domain = '', ...more] = value.split('@');
  return more.length === 0 && local !== '' && local.length <= 64 && /\.[A-Za-z]{2,}$/.test(domain);
}

/** Clear delimiters: nothing else may be adjacent. A label directly precedes the value. */
const BEFORE = String.raw`(?:^|[\s,;|"(])`;
const AFTER = String.raw`(?=$|[\s,;|")])`;
const expressions = new Map(
  KINDS.map((kind) => {
    const label = kind.label === undefined ? BEFORE : `${BEFORE}(?i:${kind.label})(?:: | |=|:)`;
    return [kind, new RegExp(`(?<=${label})(${kind.shape.source})${AFTER}`, 'g')];
  }),
);
