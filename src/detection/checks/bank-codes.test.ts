import { expect, it } from 'vitest';
import { abaChecks } from './aba.ts';
import { isCountry } from './country.ts';

it.each(['021000021', '011401533', '091000019'])('%s, a bank’s routing number, passes', (text) =>
  expect(abaChecks(text)).toBe(true),
);

it.each(['021000022', '991000019', '02100002'])('%s is no routing number', (text) =>
  expect(abaChecks(text)).toBe(false),
);

it('accepts countries in use and rejects former ones', () => {
  expect(['DE', 'ZA', 'XK'].every(isCountry)).toBe(true);
  expect(['DD', 'SU', 'ZZ', 'de'].some(isCountry)).toBe(false);
});
