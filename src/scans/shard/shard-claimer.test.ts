import { describe, expect, it } from 'vitest';
import { SeineError } from '../../base/errors.ts';
import { FIRST_KEY } from '../../base/key.ts';
import { WakeSignal } from '../../base/wake-signal.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { ShardClaimer, type ShardClaimerOptions } from './shard-claimer.ts';

const never = new AbortController().signal;
const held = (id: number): HeldLease => ({
  id,
  groupId: 1,
  fencingToken: 1,
  claimId: '00000000-0000-4000-8000-000000000000',
  checkpointSeq: 0,
  cursor: FIRST_KEY,
  upTo: null,
  previousReservedUpTo: FIRST_KEY,
  claimsSinceProgress: 1,
  errorsSinceProgress: 0,
  paused: false,
});

function claimer(more: Partial<ShardClaimerOptions>): ShardClaimer {
  return new ShardClaimer({
    claim: async () => null,
    isOver: async () => false,
    isBusy: () => false,
    steal: async () => false,
    wakeSignal: new WakeSignal(),
    maxPauseMs: 5,
    ...more,
  });
}

describe('the claimer', () => {
  it('returns a different shard to each caller, and null when the work is over', async () => {
    const left = [held(1), held(2)];
    const one = claimer({ claim: async () => left.shift() ?? null, isOver: async () => true });
    const got = await Promise.all([one.next(never), one.next(never), one.next(never)]);
    expect(got.map((shard) => shard?.id ?? null)).toEqual([1, 2, null]);
  });

  it('claims for one caller at a time, for any number of callers', async () => {
    let asking = 0;
    let most = 0;
    let claims = 0;
    const one = claimer({
      claim: async () => {
        most = Math.max(most, ++asking);
        await new Promise((resolve) => setImmediate(resolve));
        asking--;
        return ++claims > 20 ? held(claims) : null;
      },
    });
    await Promise.all(Array.from({ length: 8 }, () => one.next(never)));
    expect(most).toBe(1);
  });

  it('claims at once what it has stolen', async () => {
    let stolen = false;
    const one = claimer({
      claim: async () => (stolen ? held(7) : null),
      steal: async () => {
        stolen = true;
        return true;
      },
      maxPauseMs: 60_000,
    });
    expect((await one.next(never))?.id).toBe(7);
  });

  it('claims again when it is notified, without waiting for the end of its pause', async () => {
    const news = new WakeSignal();
    let claims = 0;
    const one = claimer({
      claim: async () => (++claims > 12 ? held(1) : null),
      wakeSignal: news,
      maxPauseMs: 3_600_000,
    });
    const ringing = setInterval(() => news.notifyAll(), 1);
    expect(await one.next(never)).not.toBeNull();
    clearInterval(ringing);
  });

  it('claims nothing while the threads have enough to do', async () => {
    let busy = 3;
    let claims = 0;
    const one = claimer({
      isBusy: () => busy-- > 0,
      claim: async () => {
        claims++;
        return held(1);
      },
    });
    await one.next(never);
    expect([busy, claims]).toEqual([-1, 1]);
  });

  it('ends when it is aborted, also while it waits', async () => {
    const stop = new AbortController();
    const waiting = claimer({ maxPauseMs: 3_600_000 }).next(stop.signal);
    stop.abort();
    expect(await waiting).toBeNull();
  });

  it('waits during an outage of the database, and throws other errors without blocking the next caller', async () => {
    let tries = 0;
    const one = claimer({
      claim: async () => {
        if (++tries === 1) throw new SeineError('unavailable', 'restarting');
        if (tries === 2) throw new Error('a mistake');
        return held(tries);
      },
    });
    const [first, second] = [one.next(never), one.next(never)];
    await expect(first).rejects.toThrow('a mistake');
    expect((await second)?.id).toBe(3);
  });
});
