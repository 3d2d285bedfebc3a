import { afterEach, describe, expect, it, vi } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { isHopeless, LONGEST_TIMER, rulesOf } from './policy.ts';

afterEach(() => vi.restoreAllMocks());
const run = async () => null;

describe('the rules of an action', () => {
  it('are eight tries of a minute each, unless it says otherwise', () => {
    expect(rulesOf(run)).toMatchObject({ run, attempts: 8, timeoutMs: 60_000 });
    expect(rulesOf({ run, attempts: 2, timeout: { seconds: 3 } })).toMatchObject({
      attempts: 2,
      timeoutMs: 3000,
    });
  });

  it('pause up to a second, then up to twice as long, up to five minutes', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const pauses = [1, 2, 3, 9, 10, 500].map(rulesOf(run).pauseAfter);
    expect(pauses).toEqual([500, 1000, 2000, 128_000, 150_000, 150_000]);
    const own = rulesOf({ run, firstWait: { minutes: 1 }, mostWait: { minutes: 3 } });
    expect([1, 2, 3].map(own.pauseAfter)).toEqual([30_000, 60_000, 90_000]);
  });

  it("never ask for a timer that Node can't keep", () => {
    expect(rulesOf({ run, timeout: { days: 365 } }).timeoutMs).toBe(LONGEST_TIMER);
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
    expect(isHopeless(error)).toBe(hopeless);
  });
});
