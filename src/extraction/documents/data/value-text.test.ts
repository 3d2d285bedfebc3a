import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalText, signedInteger, uuidText } from './value-text.ts';

describe('numbers as text', () => {
  it.each([
    [-123n, 2, '-1.23'],
    [5, 3, '0.005'],
    [-5, 3, '-0.005'],
    [12345, 0, '12345'],
    [12345, -2, '12345'],
    [0n, 2, '0.00'],
    [1, 1e9, '1'],
  ])('%s with %i places is %s', (unscaled, scale, text) => expect(decimalText(unscaled, scale)).toBe(text));

  it('integers of any length keep their sign', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 127n), max: 2n ** 127n - 1n }), (value) => {
        const hex = BigInt.asUintN(128, value).toString(16).padStart(32, '0');
        expect(signedInteger(Buffer.from(hex, 'hex'), 0, 16)).toBe(value);
      }),
    );
    expect(signedInteger(new Uint8Array(0), 0, 0)).toBe(0n);
    expect(signedInteger(new Uint8Array(1000), 0, 1000)).toBeNull();
  });

  it('sixteen bytes are a UUID', () => {
    const bytes = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
    expect(uuidText(bytes, 0)).toBe('00112233-4455-6677-8899-aabbccddeeff');
  });
});
