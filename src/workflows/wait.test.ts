import { describe, expect, it } from 'vitest';
import { MAX_TIMER_MS, milliseconds, timerMs, type Wait } from './wait.ts';

describe('a time', () => {
  it.each<[Wait, number]>([
    [0, 0],
    [1.5, 1.5],
    [{ seconds: 30 }, 30_000],
    [{ days: 1, hours: 2, minutes: 3, seconds: 4 }, 93_784_000],
    [{ days: 1, hours: -1 }, 82_800_000],
  ])('is milliseconds, or a sum of units: %j', (wait, ms) => {
    expect(milliseconds(wait, 'after() was given')).toBe(ms);
  });

  it.each<[unknown, string]>([
    [{ hour: 2 }, 'after() was given {"hour":2}: there is no unit "hour".'],
    [{ seconds: 5, weeks: 1 }, 'there is no unit "weeks"'],
    [{}, 'it names no unit'],
    [new Date(0), 'it names no unit'],
    [{ hours: undefined }, 'hours is undefined, which is not a finite number'],
    [{ seconds: '5' }, `seconds is '5', which is not a finite number`],
    [{ seconds: Number.NaN }, 'seconds is NaN, which is not a finite number'],
    ['5s', "after() was given '5s': it is not a number of milliseconds"],
    [null, 'after() was given null'],
    [undefined, 'after() was given undefined'],
    [Number.NaN, 'after() was given NaN'],
    [-5, 'after() was given -5: it is less than 0.'],
    [{ hours: -1 }, 'it is less than 0'],
    [Number.POSITIVE_INFINITY, 'it is more than a thousand years'],
    [{ days: 400_000 }, 'it is more than a thousand years'],
  ])('is refused when it is none: %o', (wait, sentence) => {
    const given = () => milliseconds(wait as Wait, 'after() was given');
    expect(given).toThrow(sentence);
    expect(given).toThrow(
      expect.objectContaining({
        kind: 'usage',
        hint: expect.stringContaining('days, hours, minutes and seconds'),
      }),
    );
  });

  it('of a timer may be without an end, and is never longer than Node can count', () => {
    expect(timerMs({ seconds: 1 }, 'It has the timeout')).toBe(1000);
    for (const long of [Number.POSITIVE_INFINITY, { days: 365 }])
      expect(timerMs(long, 'It has the timeout')).toBe(MAX_TIMER_MS);
    expect(() => timerMs(Number.NaN, 'It has the timeout')).toThrow('It has the timeout NaN');
  });
});
