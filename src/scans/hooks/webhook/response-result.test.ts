import { describe, expect, it } from 'vitest';
import { toHookResult } from './response-result.ts';

const answer = (status: number, retryAfter?: string, date?: string) => ({ status, retryAfter, date });

describe('the answer to a delivery', () => {
  it.each([200, 201, 202, 204, 299])('%d means that it was accepted', (status) => {
    expect(toHookResult(answer(status))).toEqual({ end: 'done', result: { status } });
  });

  it('410 means never again', () => {
    expect(toHookResult(answer(410, '10'))).toMatchObject({ end: 'failed' });
  });

  it.each([0, 100, 301, 302, 308, 400, 401, 404, 408, 429, 500, 503])('%d means: try again', (status) => {
    expect(toHookResult(answer(status))).toEqual({
      end: 'again',
      reason: expect.stringContaining(`${status}`),
    });
  });

  it('contains the delay, in seconds or until a time', () => {
    expect(toHookResult(answer(429, '17'))).toMatchObject({ afterMs: 17_000 });
    const [now, then] = ['Wed, 21 Oct 2015 07:28:00 GMT', 'Wed, 21 Oct 2015 07:30:00 GMT'];
    expect(toHookResult(answer(503, then, now))).toMatchObject({ afterMs: 120_000 });
    expect(toHookResult(answer(503, now, then))).toMatchObject({ afterMs: 0 });
  });

  it.each(['', 'soon', '-5'])('with the delay %j contains no delay', (wait) => {
    expect(toHookResult(answer(503, wait))).not.toHaveProperty('afterMs');
  });
});
