import { describe, expect, it } from 'vitest';
import { CHECK_NAMES, checkNamed } from './named-checks.ts';

const passes = (name: string, value: string) => checkNamed(name)!.passes(value);

describe('a check by name', () => {
  it.each([
    ['luhn', '79927398713', '79927398710'],
    ['luhn', '7992-739-8713', '0'],
    ['verhoeff', '2363', '2364'],
    ['mod11_10', '07945', '07946'],
    ['mod97', 'WEST 1234 5698 7654 32 GB82', 'WEST12345698765432GB83'],
    ['iban', 'GB82 WEST 1234 5698 7654 32', 'GB83 WEST 1234 5698 7654 32'],
    ['aba', '011000015', '011000016'],
    ['vin', '1M8GDM9AXKP042788', '1M8GDM9AXKP042789'],
    ['base58check', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3'],
    ['bech32', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
    ['entropy>3.5', 'q8Zr1vT0xKp3Lm7w', 'aaaaaaaabbbbbbbb'],
    ['entropy > 2', 'abcdefgh', 'aabb'],
    ['not_placeholder', 'Tr0ub4dor', 'your-key-here'],
    ['not_repeated', 'abcab', 'ababab'],
    ['has_digit', 'a1', 'ab'],
    ['has_letter', 'a1', '11'],
  ])('%s lets %s through and not %s', (name, good, bad) => {
    expect([passes(name, good), passes(name, bad)]).toEqual([true, false]);
  });

  it('has a known name, or the lookup returns null', () => {
    for (const name of CHECK_NAMES) expect(checkNamed(name)).toMatchObject({ name });
    for (const name of ['', 'LUHN', 'entropy', 'entropy>', 'entropy>x', 'entropy>99'])
      expect(checkNamed(name)).toBeNull();
  });
});
