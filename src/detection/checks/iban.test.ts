import { expect, it } from 'vitest';
import { mod97 } from './check-digits.ts';
import { ibanChecks, ibanChecksAt, ibanLength, ibanLengthAt } from './iban.ts';

it.each([
  'GB82WEST12345698765432',
  'DE89370400440532013000',
  'FR1420041010050500013M02606',
  'NL91ABNA0417164300',
  'MT84MALT011000012345MTLCAST001S',
  'NO9386011117947',
  'SA0380000000608010167519',
])('%s, from the registry, passes', (iban) => {
  expect(ibanChecks(iban)).toBe(true);
});

it('a wrong digit fails', () => {
  expect(ibanChecks('GB82WEST12345698765431')).toBe(false);
});

it('a right checksum with the wrong length for its country fails', () => {
  const short = 'DE37040044053201300';
  const check = String(98 - mod97(`${short.slice(2)}DE00`)).padStart(2, '0');
  const forged = `DE${check}${short.slice(2)}`;
  expect(mod97(forged.slice(4) + forged.slice(0, 4))).toBe(1);
  expect(ibanChecks(forged)).toBe(false);
});

it('a country without IBANs has no length', () => {
  expect(ibanLength('US')).toBeUndefined();
});

it.each([
  ['GB82WEST12345698765432', true],
  ['gb82west12345698765432', true],
  ['GB82 WEST 1234 5698 7654 32', true],
  ['GB82 WEST 1234 5698 7654 33', false],
])('%s is judged in its bytes as well', (iban, passes) => {
  expect(ibanChecksAt(Buffer.from(`1${iban}1`), 1, 1 + iban.length)).toBe(passes);
});

it('the length is determined by two bytes', () => {
  expect(ibanLengthAt(Buffer.from('xGB'), 1)).toBe(22);
  expect(ibanLengthAt(Buffer.from('xgb'), 1)).toBe(22);
  expect(ibanLengthAt(Buffer.from('xUS'), 1)).toBe(0);
});
