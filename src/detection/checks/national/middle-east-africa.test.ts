import { describe, expect, it } from 'vitest';
import {
  egyptIdPlausible,
  emiratesIdChecks,
  iranCodeChecks,
  kazakhIinChecks,
  kuwaitCivilIdChecks,
  saudiIdChecks,
  southAfricaIdChecks,
  teudatZehutChecks,
} from './middle-east-africa.ts';

type Check = (plain: string) => boolean;

const CASES: readonly (readonly [string, Check, readonly string[]])[] = [
  ['Israel', teudatZehutChecks, ['039337423', '123456782']],
  ['Emirates', emiratesIdChecks, ['784198012345678', '784197912345671']],
  ['Saudi Arabia', saudiIdChecks, ['1000000008', '2000000006']],
  ['Kuwait', kuwaitCivilIdChecks, ['288020122596', '227081660516']],
  ['South Africa', southAfricaIdChecks, ['7503305044089', '8001015009087']],
  ['Kazakhstan', kazakhIinChecks, ['791028302728', '061211600012']],
  ['Iran', iranCodeChecks, ['0499370899', '0790419904', '0084575948']],
];

describe.each(CASES)('%s, numbers printed in guides', (_, check, numbers) => {
  it.each(numbers)('accepts %s and rejects every other last digit', (number) => {
    const all = [...'0123456789'].map((digit) => number.slice(0, -1) + digit);
    expect(all.filter(check)).toEqual([number]);
  });
});

it.each<[string, Check, string]>([
  ['the Emirates begin with 784', emiratesIdChecks, '785198012345677'],
  ['Saudi numbers begin with 1 or 2', saudiIdChecks, '3000000004'],
  ['Kuwait has no 13th month', kuwaitCivilIdChecks, '288130122596'],
  ['South Africans were born on a day', southAfricaIdChecks, '7513305044089'],
  ['Egypt has no governorate 99', egyptIdPlausible, '29003129912345'],
  ['Egypt has no 13th month', egyptIdPlausible, '29013120112345'],
])('%s', (_, check, number) => {
  expect(check(number)).toBe(false);
});

it('an Egyptian was born in 1990 in Cairo', () => {
  expect(egyptIdPlausible('29003120112345')).toBe(true);
});
