import { afterEach, describe, expect, it, vi } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { MAX_TIMER_MS } from '../wait.ts';
import type { Action } from './action.ts';
import { isNonRetryable, resolvePolicy } from './policy.ts';

afterEach(() => vi.restoreAllMocks());
const run = async () => null;

describe('the rules of an action', () => {
  it('are eight tries of a minute each, unless it says otherwise', () => {
    expect(resolvePolicy(run)).toMatchObject({ work: { run }, attempts: 8, timeoutMs: 60_000, limits: null });
    expect(resolvePolicy({ run, attempts: 2, timeout: { seconds: 3 } })).toMatchObject({
      attempts: 2,
      timeoutMs: 3000,
    });
  });

  it('pause up to a second, then up to twice as long, up to five minutes', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const pauses = [1, 2, 3, 9, 10, 500].map(resolvePolicy(run).backoffAfter);
    expect(pauses).toEqual([500, 1000, 2000, 128_000, 150_000, 150_000]);
    const own = resolvePolicy({ run, firstWait: { minutes: 1 }, mostWait: { minutes: 3 } });
    expect([1, 2, 3].map(own.backoffAfter)).toEqual([30_000, 60_000, 90_000]);
  });

  it("never ask for a timer that Node can't keep", () => {
    for (const timeout of [{ days: 365 }, Number.POSITIVE_INFINITY])
      expect(resolvePolicy({ run, timeout }).timeoutMs).toBe(MAX_TIMER_MS);
  });

  it('may be tries without an end', () => {
    const attempts = Number.POSITIVE_INFINITY;
    expect(resolvePolicy({ run, attempts }).attempts).toBe(attempts);
  });

  it.each<[string, object]>([
    ['at least 1 as attempts, not 0', { attempts: 0 }],
    ['as attempts, not -1', { attempts: -1 }],
    ['as attempts, not NaN', { attempts: Number.NaN }],
    ['as attempts, not 2.5', { attempts: 2.5 }],
    ["as attempts, not '3'", { attempts: '3' }],
    ['has the timeout {"second":30}: there is no unit "second".', { timeout: { second: 30 } }],
    ["has the timeout '5s'", { timeout: '5s' }],
    ['has the timeout -5', { timeout: -5 }],
    ['a timeout greater than 0', { timeout: 0 }],
    ['has the firstWait NaN', { firstWait: Number.NaN }],
    ['has the firstWait Infinity', { firstWait: Number.POSITIVE_INFINITY }],
    ['has the mostWait {"minute":5}', { mostWait: { minute: 5 } }],
    ['has the rate.per {"minute":1}', { rate: { limit: 5, per: { minute: 1 } } }],
  ])('that are wrong are refused: %s', (sentence, policy) => {
    const rules = () => resolvePolicy({ run, ...policy } as Action, 'order/charge');
    expect(rules).toThrow(/^The action order\/charge /);
    expect(rules).toThrow(sentence);
  });
});

describe('limits', () => {
  it('are counted by their key', () => {
    const limitKey = () => 'a';
    const rate = { limit: 100, per: { minutes: 1 } };
    expect(resolvePolicy({ run, concurrency: 5, limitKey }).limits).toEqual({
      concurrency: 5,
      burst: null,
      perSecond: null,
      keyOf: limitKey,
    });
    expect(resolvePolicy({ run, rate }).limits).toMatchObject({
      concurrency: null,
      burst: 100,
      perSecond: 100 / 60,
    });
    expect(resolvePolicy({ run, rate: { ...rate, burst: 7 } }).limits).toMatchObject({ burst: 7 });
  });

  it.each<[string, object]>([
    ['concurrency', { run, concurrency: 0 }],
    ['concurrency', { run, concurrency: 1.5 }],
    ['concurrency', { run, concurrency: '5' }],
    ['rate.limit', { run, rate: { limit: Number.NaN, per: 1000 } }],
    ['rate.burst', { run, rate: { limit: 5, per: 1000, burst: 0 } }],
    ['rate.per', { run, rate: { limit: 5, per: 0 } }],
    ['rate.per', { run, rate: { limit: 5 } }],
    [
      'rate that fills its bucket within 100 years',
      { run, rate: { limit: 1, per: { days: 1 }, burst: 1_000_000 } },
    ],
    ['rate that fills its bucket within 100 years', { run, rate: { limit: 5, per: { days: 36_526 } } }],
    ['limitKey', { run, limitKey: () => 'a' }],
    ['limitKey', { run, concurrency: 5, limitKey: 'customer' }],
    ['`run` or `transaction`', {}],
    ['`run` or `transaction`', { run, transaction: run }],
    ['`run` or `transaction`', { run: 'run' }],
  ])('that are wrong are refused: %s', (what, policy) => {
    const name = 'order/charge';
    expect(() => resolvePolicy(policy as Action, name)).toThrow(/^The action order\/charge /);
    expect(() => resolvePolicy(policy as Action, name)).toThrow(what);
  });
});

describe('an error', () => {
  it.each([
    [new Error('no answer'), false],
    [new SeineError('unavailable', 'no answer'), false],
    [new SeineError('permission', 'no'), true],
    [Object.assign(new Error('no'), { retry: false }), true],
    [Object.assign(new Error('no'), { retry: undefined }), false],
    [null, false],
    [undefined, false],
    ['text', false],
  ])('%s is hopeless: %s', (error, hopeless) => {
    expect(isNonRetryable(error)).toBe(hopeless);
  });
});
