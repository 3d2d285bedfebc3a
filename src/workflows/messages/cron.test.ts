import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCron, nextTime } from './cron.ts';

describe('a cron timer', () => {
  it('comes at the time of day of its zone, in summer and in winter', () => {
    expect(times('0 9 * * *', 'Europe/Berlin', '2026-01-10T12:00Z', 1)).toEqual(['2026-01-11T08:00']);
    expect(times('0 9 * * *', 'Europe/Berlin', '2026-07-10T12:00Z', 1)).toEqual(['2026-07-11T07:00']);
    expect(times('0 9 * * *', 'Asia/Kolkata', '2026-07-10T12:00Z', 1)).toEqual(['2026-07-11T03:30']);
  });

  it('comes strictly after the time it is asked about', () => {
    expect(times('0 9 * * *', 'UTC', '2026-07-10T09:00Z', 1)).toEqual(['2026-07-11T09:00']);
    expect(times('0 9 * * *', 'UTC', '2026-07-10T08:59:59.999Z', 1)).toEqual(['2026-07-10T09:00']);
  });

  it('has five fields, or six with seconds', () => {
    expect(times('*/20 * * * *', 'UTC', '2026-07-10T09:05Z', 2)).toEqual([
      '2026-07-10T09:20',
      '2026-07-10T09:40',
    ]);
    expect(nextTime('*/20 * * * * *', 'UTC', new Date('2026-07-10T09:05:01Z')).toISOString()).toBe(
      '2026-07-10T09:05:20.000Z',
    );
  });

  it('comes on working days only', () => {
    const friday = '2026-07-10T12:00Z';
    expect(times('0 9 * * 1-5', 'UTC', friday, 2)).toEqual(['2026-07-13T09:00', '2026-07-14T09:00']);
  });

  it('comes on 29 February of leap years', () => {
    expect(times('0 0 29 2 *', 'UTC', '2026-07-10T12:00Z', 2)).toEqual([
      '2028-02-29T00:00',
      '2032-02-29T00:00',
    ]);
  });
});

describe('when the clock is set forward', () => {
  it('comes later by the leap at a time that does not exist, and as usual the day after', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2)).toEqual([
      '2026-03-29T01:30',
      '2026-03-30T00:30',
    ]);
  });

  it('leaves no day out where midnight does not exist', () => {
    expect(times('0 0 * * *', 'Africa/Cairo', '2026-04-22T22:00Z', 3)).toEqual([
      '2026-04-23T22:00',
      '2026-04-24T21:00',
      '2026-04-25T21:00',
    ]);
  });

  it('comes once where the time that is missing becomes one that is meant too', () => {
    expect(times('30 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', 2)).toEqual([
      '2026-03-29T01:30',
      '2026-03-30T00:30',
    ]);
  });

  it('continues by the hour', () => {
    expect(times('0 * * * *', 'Europe/Berlin', '2026-03-28T23:30Z', 3)).toEqual([
      '2026-03-29T00:00',
      '2026-03-29T01:00',
      '2026-03-29T02:00',
    ]);
  });
});

describe('when the clock is set back', () => {
  it('comes at the first of two equal times only', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
  });

  it('does not come again when asked between the two', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10Z', 1)).toEqual(['2026-10-26T01:30']);
  });

  it('comes in both of two equal hours if it comes every hour', () => {
    expect(times('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:10Z', 4)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-25T02:00',
    ]);
  });

  it('keeps its time where the clock is set by half an hour', () => {
    expect(times('15 1 * * *', 'Australia/Lord_Howe', '2026-04-03T12:00Z', 3)).toEqual([
      '2026-04-03T14:15',
      '2026-04-04T14:15',
      '2026-04-05T14:45',
    ]);
  });
});

describe('whatever the time', () => {
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/Havana',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
  );
  const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });

  it('a daily timer comes later, within two days, and not before the day is over again', () => {
    const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 });
    fc.assert(
      fc.property(zone, moment, minutes, (where, after, minute) => {
        const cron = `${minute % 60} ${Math.floor(minute / 60)} * * *`;
        const first = nextTime(cron, where, after).getTime();
        const second = nextTime(cron, where, new Date(first)).getTime();
        expect(first).toBeGreaterThan(after.getTime());
        expect(first - after.getTime()).toBeLessThanOrEqual(26 * HOUR);
        expect(Math.abs(second - first - 24 * HOUR)).toBeLessThanOrEqual(HOUR);
      }),
    );
  });

  it('a timer of every hour comes within the hour', () => {
    fc.assert(
      fc.property(zone, moment, (where, after) => {
        const wait = nextTime('30 * * * *', where, after).getTime() - after.getTime();
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(1.5 * HOUR);
      }),
    );
  });
});

describe('what is no cron', () => {
  it.each([
    ['0 0 30 2 *', /"0 0 30 2 \*" can't be used as a cron expression/],
    ['0 0 31 4,6 *', /it never comes/],
    ['60 * * * *', /can't be used/],
    ['* * * *', /it has 4 fields/],
    ['* * * * * * *', /it has 7 fields/],
    ['', /it has no field/],
    ['soon', /it has 1 field/],
    ['H * * * *', /no certain time/],
    ['a b c d e', /can't be used/],
  ])('%s is refused with a sentence', (cron, sentence) => {
    expect(() => checkCron(cron, 'UTC')).toThrow(expect.objectContaining({ kind: 'usage' }));
    expect(() => checkCron(cron, 'UTC')).toThrow(sentence);
  });

  it('an unknown time zone is rejected', () => {
    expect(() => checkCron('0 9 * * *', 'Europe/Atlantis')).toThrow('"Europe/Atlantis" is no time zone.');
    expect(() => checkCron('0 9 * * *', '')).toThrow('"" is no time zone.');
  });
});

const HOUR = 60 * 60 * 1000;

/** The next times, each from the one before, as UTC to the minute. */
function times(cron: string, zone: string, after: string, count: number): string[] {
  checkCron(cron, zone);
  let at = new Date(after);
  return Array.from({ length: count }, () => {
    at = nextTime(cron, zone, at);
    return at.toISOString().slice(0, 16);
  });
}
