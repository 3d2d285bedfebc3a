import { describe, expect, it } from 'vitest';
import { abaChecks } from './aba.ts';
import { base58Checks } from './base58check.ts';
import { bech32Checks } from './bech32.ts';
import { cardBrand, isTestCard } from './card.ts';

describe('ABA routing number', () => {
  it.each(['021000021', '011401533', '091000019'])('%s passes', (text) => expect(abaChecks(text)).toBe(true));
  it.each(['021000022', '991000019', '02100002'])('%s fails', (text) => expect(abaChecks(text)).toBe(false));
});

describe('base58check', () => {
  it.each(['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'])(
    '%s passes',
    (text) => {
      expect(base58Checks(text)).toBe(true);
    },
  );
  it('a changed letter, a letter outside the alphabet and too many letters fail', () => {
    expect(base58Checks('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb')).toBe(false);
    expect(base58Checks('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0')).toBe(false);
    expect(base58Checks('z'.repeat(40))).toBe(false);
  });
});

describe('bech32, vectors of BIP-173 and BIP-350', () => {
  it.each([
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ])('%s passes', (text) => expect(bech32Checks(text)).toBe(true));
  it.each([
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'bc1',
  ])('%s fails', (text) => expect(bech32Checks(text)).toBe(false));
});

describe('card brands', () => {
  it.each([
    ['4539148803436467', 'Visa'],
    ['2720990000000000', 'Mastercard'],
    ['378282246310005', 'American Express'],
    ['6011000990139424', 'Discover'],
    ['3530111333300000', 'JCB'],
    ['30569309025904', 'Diners Club'],
    ['6200000000000005', 'UnionPay'],
  ])('%s is %s', (digits, name) => expect(cardBrand(digits)?.name).toBe(name));
  it.each(['2721000000000000', '9111111111111111', '37828224631000', '411111111111111'])(
    '%s is nobody’s',
    (digits) => {
      expect(cardBrand(digits)).toBeNull();
    },
  );
  it('knows the numbers of the manuals', () => {
    expect(isTestCard('4242424242424242')).toBe(true);
    expect(isTestCard('4539148803436467')).toBe(false);
  });
});
