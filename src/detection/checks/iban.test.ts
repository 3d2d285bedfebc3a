import { expect, it } from 'vitest';
import { ibanChecks, ibanLength } from './iban.ts';
import { mod97 } from './mod97.ts';

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
