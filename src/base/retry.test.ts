import { describe, expect, it } from 'vitest';
import { SeineError } from './errors.ts';
import { timers, withRetry } from './retry.ts';

const away = new SeineError('unavailable', 'away');
const HOUR_MS = 3_600_000;

describe('trying again', () => {
  it('ends a pause as soon as the signal comes', async () => {
    const stop = new AbortController();
    const pause = timers.sleep(HOUR_MS, stop.signal);
    stop.abort();
    await pause;
  });

  it('ends with the error when the signal has come', async () => {
    const stop = new AbortController();
    let tries = 0;
    const work = async () => {
      if (++tries === 2) stop.abort();
      throw away;
    };
    await expect(withRetry(work, { forMs: HOUR_MS, signal: stop.signal })).rejects.toBe(away);
    expect(tries).toBe(2);
  });

  it('is tried once more, at once, when the signal comes during the pause', async () => {
    const stop = new AbortController();
    const { sleep } = timers;
    // Without the signal the pause would last an hour, and the test with it.
    timers.sleep = async (_, signal) => {
      stop.abort();
      await sleep(HOUR_MS, signal);
    };
    let tries = 0;
    const work = async () => {
      tries++;
      throw away;
    };
    try {
      await expect(withRetry(work, { forMs: HOUR_MS, signal: stop.signal })).rejects.toBe(away);
    } finally {
      timers.sleep = sleep;
    }
    expect(tries).toBe(2);
  });

  it('continues for the grace period after the signal, and a success then counts', async () => {
    let tries = 0;
    const work = async () => {
      if (++tries < 3) throw away;
      return 'done';
    };
    const signal = AbortSignal.abort();
    expect(await withRetry(work, { forMs: HOUR_MS, signal, graceMs: 30_000 })).toBe('done');
    await expect(withRetry(() => Promise.reject(away), { forMs: HOUR_MS, signal, graceMs: 1 })).rejects.toBe(
      away,
    );
  });

  it('is not done for what another try cannot mend', async () => {
    let tries = 0;
    const work = async () => {
      tries++;
      throw new SeineError('usage', 'wrong');
    };
    await expect(withRetry(work, { forMs: HOUR_MS })).rejects.toMatchObject({ kind: 'usage' });
    expect(tries).toBe(1);
  });
});
