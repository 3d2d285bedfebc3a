import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSampledWake } from './work-channel.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** How many of these workers claim after this notification, and within which time. */
function woken(workers: number, payload: string): { count: number; afterMs: number } {
  const started = Date.now();
  const wakes: number[] = [];
  for (let i = 0; i < workers; i++)
    createSampledWake(
      () => wakes.push(Date.now() - started),
      () => workers,
    )(payload);
  vi.runAllTimers();
  return { count: wakes.length, afterMs: Math.max(...wakes) };
}

describe('a notification of new leases', () => {
  it('wakes every worker of a small cluster', () => {
    expect(woken(4, '1').count).toBe(4);
  });

  it('wakes only a few of thousands', () => {
    const { count } = woken(5000, '3');
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(60); // 12 expected: 60 is 14 standard deviations away
  });

  it.each(['', 'from an older version'])(
    'wakes all if it does not contain the number: "%s", at different times',
    (payload) => {
      const { count, afterMs } = woken(5000, payload);
      expect(count).toBe(5000);
      expect(afterMs).toBeGreaterThan(900);
    },
  );

  it('that comes while one is handled is merged with it', () => {
    let wakes = 0;
    const notified = createSampledWake(
      () => void wakes++,
      () => 100,
    );
    notified('1000');
    notified('1000');
    vi.runAllTimers();
    expect(wakes).toBe(1);
  });
});
