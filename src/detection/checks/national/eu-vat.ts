import { luhn, mod97, mod1110, weightedSum } from '../check-digits.ts';
import { isTypedRow } from '../placeholder.ts';
import { uidChecks } from './alpine.ts';
import { afmChecks, egnChecks, oibChecks } from './balkans.ts';
import { twoRounds } from './baltic.ts';
import { bsnChecks } from './benelux.ts';
import { gbVatChecks, oldIrishVatChecks, ppsChecks } from './britain-ireland.ts';
import { nipChecks, rodneCisloChecks } from './central-europe.ts';
import { frenchVatChecks } from './france.ts';
import {
  cifChecks,
  dniChecks,
  malteseVatChecks,
  nieChecks,
  partitaIvaChecks,
  portugueseNifChecks,
  ticChecks,
} from './southern-europe.ts';

/** VAT number with country code: every state has its own form and rule. */
export function euVatChecks(plain: string): boolean {
  const body = plain.slice(2);
  const rule = RULES[plain.slice(0, 2)];
  return rule !== undefined && !isTypedRow(body) && rule(body, plain);
}

type Rule = (body: string, plain: string) => boolean;

const RULES: Readonly<Record<string, Rule>> = {
  AT: (n) => n.startsWith('U') && uidChecks(n.slice(1)),
  BE: (n) => /^[01]\d{9}$/.test(n) && 97 - (Number(n.slice(0, 8)) % 97) === Number(n.slice(8)),
  BG: (n) => (n.length === 9 ? digits(n, 9) && bulgarian(n) : egnChecks(n)),
  CY: ticChecks,
  CZ: (n) => (n.length === 8 ? digits(n, 8) && czech(n) : rodneCisloChecks(n)),
  DE: (n) => /^[1-9]\d{8}$/.test(n) && mod1110(n),
  DK: (n) => /^[1-9]\d{7}$/.test(n) && weightedSum(n, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  EE: (n) => digits(n, 9) && weightedSum(n, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
  EL: afmChecks,
  ES: (n) => cifChecks(n) || dniChecks(n) || nieChecks(n),
  FI: (n) => digits(n, 8) && weightedSum(n, [7, 9, 10, 5, 8, 4, 2, 1]) % 11 === 0,
  FR: frenchVatChecks,
  GB: gbVatChecks,
  HR: oibChecks,
  HU: (n) => digits(n, 8) && weightedSum(n, [9, 7, 3, 1, 9, 7, 3, 1]) % 10 === 0,
  IE: (n) => ppsChecks(n) || oldIrishVatChecks(n),
  IT: partitaIvaChecks,
  LT: (n) => /^(?:\d{7}1\d|\d{10}1\d)$/.test(n) && twoRounds(n),
  LU: (n) => digits(n, 8) && Number(n.slice(0, 6)) % 89 === Number(n.slice(6)),
  LV: (n) => /^[4-9]\d{10}$/.test(n) && weightedSum(n, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3,
  MT: malteseVatChecks,
  NL: (n, plain) => /^\d{9}B\d\d$/.test(n) && (mod97(plain) === 1 || bsnChecks(n.slice(0, 9))),
  PL: nipChecks,
  PT: portugueseNifChecks,
  RO: (n) => /^[1-9]\d{5,9}$/.test(n) && romanian(n),
  SE: (n) => /^\d{10}01$/.test(n) && luhn(n.slice(0, 10)),
  SI: (n) => /^[1-9]\d{7}$/.test(n) && slovenian(n),
  SK: (n) => /^[1-9]\d[2-47-9]\d{7}$/.test(n) && Number(n) % 11 === 0,
  XI: gbVatChecks,
};

function digits(text: string, count: number): boolean {
  return text.length === count && /^\d+$/.test(text);
}

/** Weights from 1, modulo 11; if the result is 10, weights from 3; if that is 10 too, 0. */
function bulgarian(n: string): boolean {
  const first = weightedSum(n, [1, 2, 3, 4, 5, 6, 7, 8]) % 11;
  const check = first < 10 ? first : (weightedSum(n, [3, 4, 5, 6, 7, 8, 9, 10]) % 11) % 10;
  return check === Number(n[8]);
}

function czech(n: string): boolean {
  const check = (11 - (weightedSum(n, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return n[0] !== '9' && (check === 0 ? 1 : check % 10) === Number(n[7]);
}

/** Up to ten digits; shorter ones are padded with leading zeros. */
function romanian(n: string): boolean {
  const sum = weightedSum(n.padStart(10, '0'), [7, 5, 3, 2, 1, 7, 5, 3, 2]);
  return ((sum * 10) % 11) % 10 === Number(n.at(-1));
}

function slovenian(n: string): boolean {
  const rest = weightedSum(n, [8, 7, 6, 5, 4, 3, 2]) % 11;
  return rest !== 0 && (11 - rest) % 10 === Number(n[7]);
}
