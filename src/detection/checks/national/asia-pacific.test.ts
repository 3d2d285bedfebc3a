import { describe, expect, it } from 'vitest';
import { verhoeff } from '../check-digits.ts';
import { taiwanBusinessChecks, uenChecks } from './companies.ts';
import {
  brnChecks,
  corporateNumberChecks,
  hkidChecks,
  myNumberChecks,
  residentIdChecks,
  rrnChecks,
  taiwanIdChecks,
  usccChecks,
} from './east-asia.ts';
import { proveDigits } from './national-number.fixture.ts';
import { abnChecks, acnChecks, irdChecks, medicareChecks, nhiChecks, tfnChecks } from './oceania.ts';
import {
  aadhaarChecks,
  cccdPlausible,
  gstinChecks,
  mykadPlausible,
  nikPlausible,
  nricChecks,
  thaiIdChecks,
} from './south-asia.ts';

type Check = (plain: string) => boolean;

proveDigits([
  ['Verhoeff: 236 has the digit 3', verhoeff, ['2363'], 3],
  ["India, Aadhaar of the issuer's test persons", aadhaarChecks, ['999941057058', '999971658847'], 11],
  ['India, GSTIN', gstinChecks, ['27AAPFU0939F1ZV'], 8],
  ['Australia, TFN of the tax office', tfnChecks, ['123456782', '876543210'], 8],
  ['Australia, Medicare', medicareChecks, ['2123456701', '2428778132'], 8],
  ["Australia, ABN: the tax office's own", abnChecks, ['51824753556', '83914571673'], 10],
  ["Australia, ACN of the commission's list", acnChecks, ['000000019', '005749986', '010499966'], 8],
  ["New Zealand, IRD of the tax office's specification", irdChecks, ['49091850', '35901981', '49098576'], 7],
  ['New Zealand, IRD with second weights', irdChecks, ['136410132'], 8],
  ['New Zealand, NHI of the standard', nhiChecks, ['ZZZ0016', 'ZZZ0024', 'ZAC5361'], 6],
  ['New Zealand, NHI with letters at the end', nhiChecks, ['ZBN77VL', 'ZSC21TN', 'ZVB97XQ'], 4],
  ['China, resident ids of the standard', residentIdChecks, ['11010519491231002X', '440524188001010014'], 16],
  ['China, social credit codes', usccChecks, ['91110000600037341L', '914403001922038216'], 5],
  ['Hong Kong', hkidChecks, ['G123456A', 'L5555550', 'AB9876543', 'A1234563'], 6],
  ['Taiwan', taiwanIdChecks, ['A123456789', 'F131104093'], 9],
  ['Japan, My Number', myNumberChecks, ['123456789018'], 11],
  ['Japan, corporate number of the tax agency', corporateNumberChecks, ['7000012050002'], 0],
  ['Korea, resident', rrnChecks, ['9710139019902', '8001011000008'], 12],
  ['Korea, business of Samsung and others', brnChecks, ['1248100998', '2208162517'], 9],
  ['Singapore', nricChecks, ['S1234567D', 'F1234567N', 'G1234567X', 'M1234567K'], 7],
  ['Singapore, entities', uenChecks, ['00192200M', '197401143C', 'S16FC0121D', 'T01FC6132D'], 6],
  ['Thailand', thaiIdChecks, ['3100600445635'], 12],
]);

describe('rules in addition to the check digit', () => {
  it.each<[string, Check, string]>([
    ['an Aadhaar never begins with 0 or 1', aadhaarChecks, '123412341234'],
    ['an Indian state has a number up to 38', gstinChecks, '44AAPFU0939F1ZV'],
    ['an IRD number has eight or nine digits', irdChecks, '9125568'],
    ['a Chinese resident was born on a day that exists', residentIdChecks, '11010519490230002X'],
    ['a Korean resident too', rrnChecks, '9713139019902'],
    ['a Thai id does not begin with 0', thaiIdChecks, '0100600445635'],
    ['no Malaysian place of birth is 00', mykadPlausible, '770305001234'],
    ['Indonesia has no province 99', nikPlausible, '9971011708850001'],
    ['Vietnam ends with province 096', cccdPlausible, '097085012345'],
  ])('%s', (_, check, number) => {
    expect(check(number)).toBe(false);
  });

  it('Koreans born since October 2020 have a random last digit', () => {
    const digits = [...'0123456789'].map((digit) => `210101312345${digit}`);
    expect(digits.every(rrnChecks)).toBe(true);
  });

  it.each<[string, Check, string]>([
    ['Malaysia', mykadPlausible, '770305021234'],
    ['Indonesia, a woman born on the 12th', nikPlausible, '3273015204920003'],
    ['Vietnam', cccdPlausible, '001085012345'],
  ])('%s has no check digit, only a valid day and place', (_, check, number) => {
    expect(check(number)).toBe(true);
  });
});

it('a Taiwanese uniform number is a multiple of 5, or one more if the seventh digit is 7', () => {
  expect(['22099131', '04595257', '10458575'].filter(taiwanBusinessChecks)).toHaveLength(3);
  expect(['22099132', '04595258', '22099134'].filter(taiwanBusinessChecks)).toEqual([]);
});
