import { describe, expect, it } from 'vitest';
import { isInternationalNumber, isNationalNumber } from './phone-number.ts';

describe('telephone numbers', () => {
  it.each(['12125550142', '442079460958', '33142685300', '41625855190', '919876543210', '4930901820'])(
    '+%s follows the plan of its country',
    (digits) => expect(isInternationalNumber(digits)).toBe(true),
  );

  it.each(['11841820190', '12', '4420794609581234', '9991234567', '0123456789'])(
    '+%s follows no plan',
    (digits) => expect(isInternationalNumber(digits)).toBe(false),
  );

  it.each([
    ['02079460958', 'GB'],
    ['0142685300', 'FR'],
    ['0487981192', 'BE'],
    ['12125550142', 'US'],
  ])('%s can be dialled in %s', (digits, country) => expect(isNationalNumber(digits, country)).toBe(true));

  it.each([
    ['2079460958', 'GB'],
    ['0042685300', 'FR'],
    ['2125550142', 'nowhere'],
  ])('%s cannot be dialled in %s', (digits, country) =>
    expect(isNationalNumber(digits, country)).toBe(false),
  );
});
