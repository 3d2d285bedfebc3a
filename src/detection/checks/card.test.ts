import { describe, expect, it } from 'vitest';
import { cardBrand, isTestCard, TEST_CARDS } from './card.ts';
import { luhn } from './check-digits.ts';

describe('card brands', () => {
  it.each([
    ['4539148803436467', 'Visa'],
    ['2221000000000009', 'Mastercard'],
    ['2720990000000000', 'Mastercard'],
    ['378282246310005', 'American Express'],
    ['6011000990139424', 'Discover'],
    ['6221260000000000', 'Discover'],
    ['3530111333300000', 'JCB'],
    ['30569309025904', 'Diners Club'],
    ['6200000000000005', 'UnionPay'],
    ['6229260000000000', 'UnionPay'],
    ['6759649826438453', 'Maestro'],
    ['2200000000000000', 'Mir'],
    ['5066991111111118', 'Elo'],
    ['6062828888666688', 'Hipercard'],
    ['9792030394440796', 'Troy'],
    ['5060990000000000', 'Verve'],
    ['6371000000000000', 'InstaPayment'],
    ['5019555544445555', 'Dankort'],
    ['6070000000000000', 'RuPay'],
  ])('%s is %s', (digits, name) => expect(cardBrand(digits)?.name).toBe(name));

  it.each(['2721000000000000', '2205000000000000', '9111111111111111', '37828224631000', '411111111111111'])(
    '%s belongs to no brand',
    (digits) => expect(cardBrand(digits)).toBeNull(),
  );

  it('long numbers want context, those of sixteen digits of the large brands do not', () => {
    expect(cardBrand('6205500000000000004')?.rare).toBe(true);
    expect(cardBrand('4222222222222')?.rare).toBe(true);
    expect(cardBrand('4539148803436467')?.rare).toBe(false);
  });
});

describe('test cards', () => {
  it.each([...TEST_CARDS])('%s, published, has a brand and its check digit', (digits) => {
    expect(luhn(digits)).toBe(true);
    expect(cardBrand(digits)).not.toBeNull();
  });

  it('recognises documented test numbers and similar ones', () => {
    expect(isTestCard('4242424242424242')).toBe(true);
    expect(isTestCard('4000000000000077')).toBe(true);
    expect(isTestCard('4539148803436467')).toBe(false);
    expect(isTestCard('5425233430109903')).toBe(false);
  });
});
