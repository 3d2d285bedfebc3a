import { expect, it } from 'vitest';
import { luhn, luhnBytes } from './check-digits.ts';

it.each(['79927398713', '4539148803436467', '378282246310005', '0'])('%s passes', (digits) => {
  expect(luhn(digits)).toBe(true);
});

it('every other last digit fails', () => {
  for (const last of '012456789') expect(luhn(`7992739871${last}`)).toBe(false);
});

it('two neighbours exchanged are noticed', () => {
  expect(luhn('4539148803434667')).toBe(false);
});

it.each([
  ['4539148803436467', true],
  ['4539 1488 0343 6467', true],
  ['4539-1488-0343-6467', true],
  ['4539 1488 0343 6468', false],
])('of the bytes of %s only the digits count', (text, passes) => {
  expect(luhnBytes(Buffer.from(`9${text}9`), 1, 1 + text.length)).toBe(passes);
});
