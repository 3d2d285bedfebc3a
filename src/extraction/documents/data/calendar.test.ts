import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { writeDate, writeTime, writeTimestamp } from './calendar.ts';
import { CellWriter } from './cell-writer.ts';

function written(write: (out: CellWriter, value: number) => void, value: number): string {
  const out = new CellWriter(new ExtractionBudget(), 1e6);
  out.begin(null, null, 1);
  write(out, value);
  return Buffer.concat([...out.take()].map(({ text }) => text)).toString();
}

describe('days and times', () => {
  it('days are those of the calendar', () => {
    fc.assert(
      fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (day) => {
        const [date] = new Date(day * 86_400_000).toISOString().split('T');
        expect(written(writeDate, day)).toBe(date);
      }),
    );
  });

  it.each([
    [0, '1970-01-01'],
    [-1, '1969-12-31'],
    [11_016, '2000-02-29'],
    [11_017, '2000-03-01'],
    [47_540, '2100-02-28'],
    [47_541, '2100-03-01'],
  ])('day %i is %s', (day, text) => expect(written(writeDate, day)).toBe(text));

  it('times are those of the clock', () => {
    fc.assert(
      fc.property(fc.integer({ min: -6e13, max: 2e14 }), (milliseconds) => {
        const iso = new Date(milliseconds).toISOString();
        expect(written(writeTimestamp, milliseconds)).toBe(iso.slice(0, iso.lastIndexOf('.')));
      }),
    );
    expect(written(writeTime, 3_723_999)).toBe('01:02:03');
  });

  it('a value outside the calendar stays a number', () => {
    expect(written(writeDate, 2e9)).toBe('2000000000');
    expect(written(writeTime, -5)).toBe('-5');
    expect(written(writeTimestamp, 1e300)).not.toBe('');
  });
});
