/** What every check of a national number must show, with numbers that their issuers have published. */
import { describe, expect, it } from 'vitest';

type Check = (plain: string) => boolean;

export interface NationalNumber {
  readonly name: string;
  readonly check: Check;
  /** Published by the issuer or used in public documentation; the last character is a check digit unless `at` says otherwise. */
  readonly published: readonly string[];
  /** By the written rule only: no example is public. */
  readonly computed?: readonly string[];
  readonly at?: number;
  /** The check does not count. */
  readonly anyLength?: true;
  /** What the arithmetic alone would let pass: dates that do not exist, rows of one digit, specimens. */
  readonly rejected: readonly string[];
}

export function proveNumbers(cases: readonly NationalNumber[]): void {
  describe.each(cases)('$name', ({ check, published, computed, at, anyLength, rejected }) => {
    const valid = [...published, ...(computed ?? [])];

    it.each(published)('accepts the published %s', (plain) => expect(check(plain)).toBe(true));

    it.each(valid)('rejects %s with any other check digit', (plain) => {
      const place = at ?? plain.length - 1;
      const others = [...(/\d/.test(plain[place]!) ? '0123456789' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')];
      const accepted = others.filter((c) => check(plain.slice(0, place) + c + plain.slice(place + 1)));
      expect(accepted).toEqual([plain[place]]);
    });

    it.each(rejected)('rejects %s', (plain) => expect(check(plain)).toBe(false));

    it.each(anyLength ? [] : valid)('rejects %s with a digit too many or too few', (plain) => {
      expect(check(`${plain}0`) && check(`${plain}1`)).toBe(false);
      expect(check(plain.slice(1))).toBe(false);
    });
  });
}

/** Name of the check, the check, published or widely printed numbers, and the index of a digit that it must protect. */
export type GuardedDigit = readonly [string, Check, readonly string[], number];

export function proveDigits(cases: readonly GuardedDigit[]): void {
  describe.each(cases)('%s', (_, check, numbers, place) => {
    it.each(numbers)('accepts %s', (number) => {
      expect(check(number)).toBe(true);
    });

    it.each(numbers)('rejects %s with that digit changed', (number) => {
      const others = [...'0123456789'].filter((digit) => digit !== number[place]);
      const changed = others.map((digit) => number.slice(0, place) + digit + number.slice(place + 1));
      expect(changed.filter(check)).toEqual([]);
    });
  });
}
