import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf, pricesFor } from './prices.ts';

const s3 = pricesFor('s3:someone');

describe('the cost of requests', () => {
  it.each([
    ['list', 0, 5000],
    ['write', 0, 5000],
    ['read', 0, 400],
    ['head', 0, 400],
    ['read', 1e9, 90_000_400],
    ['read', 1, 401],
  ] as const)('of %s with %i bytes on S3 is %i billionths of a dollar', (kind, bytes, nanos) => {
    expect(costOf(s3, kind, bytes)).toBe(nanos);
  });

  it('a million reads of a kilobyte cost the listed price', () => {
    expect((costOf(s3, 'read', 1000) * 1e6) / 1e9).toBeCloseTo(0.4 + 0.09, 6);
  });

  it('is a whole number and never less than the exact one', () => {
    const price = fc.double({ min: 0, max: 1, noNaN: true });
    const property = fc.property(price, price, fc.nat(1e12), (read, gigabyte, bytes) => {
      const nanos = costOf({ list: 0, read, gigabyte }, 'read', bytes);
      expect(Number.isInteger(nanos)).toBe(true);
      expect(nanos).toBeGreaterThanOrEqual(read * 1e6 + bytes * gigabyte - 1e-3);
    });
    fc.assert(property);
  });

  it('is zero for a local source and for an unknown provider', () => {
    expect(costOf(pricesFor(undefined), 'read', 1e9)).toBe(0);
    expect(costOf(pricesFor('ftp:someone'), 'list', 0)).toBe(0);
  });

  it('uses the price for writes if one is set', () => {
    expect(costOf({ list: 1, read: 1, write: 0.5, gigabyte: 0 }, 'write', 0)).toBe(500_000);
  });
});
