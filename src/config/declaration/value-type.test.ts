import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choice, decimal, duration, durationOrNever, flag, integer, rate, text } from './value-type.ts';

const HOUR = 3_600_000;

describe('a time', () => {
  const time = duration(1, 1000 * HOUR);

  it.each([
    ['500ms', 500],
    ['15s', 15_000],
    ['5m', 300_000],
    ['2h', 2 * HOUR],
    ['90d', undefined],
    ['30d', 720 * HOUR],
    ['1w', 168 * HOUR],
    ['1h30m', 1.5 * HOUR],
    ['1.5h', 1.5 * HOUR],
    ['15', 15_000],
    ['0.5', 500],
    ['', undefined],
    ['s', undefined],
    ['15 s', undefined],
    ['15x', undefined],
    ['-5s', undefined],
    ['1h 30m', undefined],
    ['NaN', undefined],
    ['Infinity', undefined],
  ])('%s is %s ms', (written, ms) => {
    expect(time.parse(written)).toBe(ms);
  });

  it('is read back as it was written, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 * HOUR }), (ms) => {
        expect(time.parse(String(time.format(ms)))).toBe(ms);
      }),
    );
  });

  it('is written in the largest unit that needs no fraction', () => {
    expect([1, 1500, 15_000, 90_000, 300_000, 24 * HOUR].map(time.format)).toEqual([
      '1ms',
      '1500ms',
      '15s',
      '90s',
      '5m',
      '1d',
    ]);
  });

  it('may be never where that makes sense', () => {
    expect(durationOrNever(1, HOUR).parse('never')).toBeNull();
    expect(durationOrNever(1, HOUR).format(null)).toBe('never');
    expect(time.parse('never')).toBeUndefined();
  });
});

describe('a rate', () => {
  const requests = rate(0.01, 1_000_000);

  it.each([
    ['500/s', 500],
    ['500 / s', 500],
    ['30/m', 0.5],
    ['3600/h', 1],
    ['7', 7],
    ['0/s', undefined],
    ['500/d', undefined],
    ['2000000/s', undefined],
    ['fast', undefined],
  ])('%s is %s a second', (written, perSecond) => {
    expect(requests.parse(written)).toBe(perSecond);
  });

  it('is read back as it was written, whatever it is', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1_000_000, noNaN: true }), (perSecond) => {
        expect(requests.parse(String(requests.format(perSecond)))).toBe(perSecond);
      }),
    );
  });
});

describe('numbers', () => {
  it('are within their bounds, both included', () => {
    expect(['0', '1', '256', '257', '1.5', '', ' ', 'x'].map(integer(1, 256).parse)).toEqual([
      undefined,
      1,
      256,
      ...new Array(5).fill(undefined),
    ]);
    expect(['-0.1', '0', '0.5', '1', '1.1'].map(decimal(0, 1).parse)).toEqual([
      undefined,
      0,
      0.5,
      1,
      undefined,
    ]);
  });
});

describe('words', () => {
  it('are taken literally', () => {
    expect(['true', 'false', 'yes', '1'].map(flag().parse)).toEqual([true, false, undefined, undefined]);
    expect(['a', 'A', 'b'].map(choice('a', 'b').parse)).toEqual(['a', undefined, 'b']);
    expect(choice('a', 'b', 'c').expected).toBe('a, b or c');
  });

  it('have no control characters and are not empty', () => {
    expect(['Müller & Co', '', 'a\nb', 'a\u0000'].map(text().parse)).toEqual([
      'Müller & Co',
      ...new Array(3).fill(undefined),
    ]);
  });
});
