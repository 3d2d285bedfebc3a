import { expect, it } from 'vitest';
import { luhn } from './luhn.ts';

it.each(['79927398713', '4539148803436467', '378282246310005', '0'])('%s passes', (digits) => {
  expect(luhn(digits)).toBe(true);
});

it('every other last digit fails', () => {
  for (const last of '012456789') expect(luhn(`7992739871${last}`)).toBe(false);
});

it('two neighbours exchanged are noticed', () => {
  expect(luhn('4539148803434667')).toBe(false);
});
