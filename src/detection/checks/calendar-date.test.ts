import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beginsWithBirthDate, beginsWithYymmdd } from './calendar-date.ts';

it('every day since 1880 exists, in both ways to write it', () => {
  const days = fc.date({ min: new Date('1880-01-01'), max: new Date('2050-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(days, (day) => {
      const text = day.toISOString().slice(0, 10).replaceAll('-', '');
      expect(beginsWithBirthDate(text)).toBe(true);
      expect(beginsWithYymmdd(text.slice(2))).toBe(true);
    }),
  );
});

it.each(['19900230', '19901301', '19900100', '19900431', '19000229', '18790101', '20510101'])(
  '%s does not',
  (text) => {
    expect(beginsWithBirthDate(text)).toBe(false);
  },
);
