import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { formatBudget, parseBudget } from './parse-budget.ts';

describe('a budget', () => {
  it.each([
    [
      'requests=2M, bytes=500GB, cost=$40, time=6h',
      { requests: 2e6, bytes: 5e11, cost: 40, currency: '$', seconds: 21_600 },
    ],
    ['requests=1500', { requests: 1500 }],
    ['requests = 1.5k ', { requests: 1500 }],
    ['requests=2G', { requests: 2e9 }],
    ['bytes=1KiB', { bytes: 1024 }],
    ['bytes=1.5TiB', { bytes: 1.5 * 2 ** 40 }],
    ['bytes=10kB', { bytes: 10_000 }],
    ['bytes=10gb', { bytes: 1e10 }],
    ['bytes=7', { bytes: 7 }],
    ['bytes=20M', { bytes: 2e7 }],
    ['cost=40', { cost: 40 }],
    ['cost=12.50€', { cost: 12.5, currency: '€' }],
    ['cost=£ 1.5k', { cost: 1500, currency: '£' }],
    ['cost=¥400', { cost: 400, currency: '¥' }],
    ['time=90s', { seconds: 90 }],
    ['time=1h30m', { seconds: 5400 }],
    ['time=2d', { seconds: 172_800 }],
    ['time=1.5h,requests=1', { seconds: 5400, requests: 1 }],
  ])('%s', (text, budget) => {
    expect(parseBudget(text)).toEqual(budget);
  });

  it('parses what it formats, to four digits', () => {
    const amount = fc.integer({ min: 1, max: 1e12 });
    const property = fc.property(
      amount,
      amount,
      fc.integer({ min: 1, max: 1e6 }),
      (requests, bytes, cost) => {
        const again = parseBudget(formatBudget({ requests, bytes, cost, currency: '€' }));
        expect(again).toMatchObject({ cost, currency: '€' });
        expect(again.requests! / requests).toBeCloseTo(1, 2);
        expect(again.bytes! / bytes).toBeCloseTo(1, 2);
      },
    );
    fc.assert(property);
  });

  it('is accepted or rejected with a span inside the text, for any input', () => {
    const token = fc.constantFrom(
      'requests',
      'bytes',
      'cost',
      'time',
      '=',
      ',',
      ' ',
      '2',
      '.5',
      'M',
      'GB',
      '$',
      'h',
      '-',
      'é',
    );
    const property = fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const text = tokens.join('');
      const error = failure(text);
      if (error === null) return;
      const column = Number(/\(column (\d+)\)/.exec(error.message)?.[1]);
      expect(column).toBeGreaterThanOrEqual(1);
      expect(column).toBeLessThanOrEqual(text.length + 1);
      expect(error.hint).toContain('requests=2M');
    });
    fc.assert(property, { numRuns: 1000 });
  });
});

describe('a syntax error in a budget', () => {
  it('is marked with carets', () => {
    expect(failure('requests=2X, cost=$40')!.message).toBe(
      ['"2X" is not a number of requests (column 10)', '  requests=2X, cost=$40', '           ^^'].join('\n'),
    );
    expect(failure('requests=2M, costs=$40')!.message).toBe(
      [
        'unknown limit "costs"; limits are requests, bytes, cost, time (column 14)',
        '  requests=2M, costs=$40',
        '               ^^^^^',
      ].join('\n'),
    );
  });

  it.each([
    ['', 'missing', 1],
    ['requests=1,', 'missing', 12],
    ['requests=1,,cost=2', 'missing', 12],
    ['requests', 'has no value', 1],
    ['requests=', 'has no value', 1],
    ['=5', 'name before', 1],
    ['requests=1, requests=2', 'twice', 13],
    ['requests=0', 'not a number of requests', 10],
    ['requests=1.5', 'not a number of requests', 10],
    ['requests=-1', 'not a number of requests', 10],
    ['requests=1e6', 'not a number of requests', 10],
    ['requests=99999999G', 'not a number of requests', 10],
    ['bytes=10XB', 'not a number of bytes', 7],
    ['bytes=0', 'not a number of bytes', 7],
    ['cost=$', 'not a cost', 6],
    ['cost=$40€', 'not a cost', 6],
    ['cost=40 dollars', 'not a cost', 6],
    ['time=6', 'not a span of time', 6],
    ['time=6M', 'not a span of time', 6],
    ['time=30m1h', 'not a span of time', 6],
    ['Requests=1', 'unknown limit "Requests"', 1],
  ])('%j: %s', (text, message, column) => {
    const error = failure(text)!;
    expect(error.kind).toBe('usage');
    expect(error.message).toContain(message);
    expect(error.message).toContain(`(column ${column})`);
  });
});

function failure(text: string): SeineError | null {
  try {
    parseBudget(text);
    return null;
  } catch (error) {
    if (error instanceof SeineError) return error;
    throw error;
  }
}
