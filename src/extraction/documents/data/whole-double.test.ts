import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeDouble } from './whole-double.ts';

describe('whole numbers among fractions', () => {
  it.each([0, -0, 1, -1, 0.5, 5551234567, 5551234567.25, 2 ** 53 - 1, 2 ** 53, 1e300, 2 ** 44 + 1, 2 ** -20])(
    '%d',
    check,
  );

  it('are recognised for any number', () => {
    fc.assert(fc.property(fc.double(), check));
    fc.assert(fc.property(fc.maxSafeInteger(), check));
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 60 }), (n, bits) => check(n / 2 ** bits)),
    );
  });
});

function check(value: number): void {
  const bytes = Buffer.alloc(20);
  bytes.writeDoubleBE(value, 1);
  bytes.writeDoubleLE(value, 10);
  const expected = Number.isSafeInteger(value) ? value : null;
  expect([wholeDouble(bytes, 1, 1), wholeDouble(bytes, 17, -1)]).toEqual([expected, expected]);
}
