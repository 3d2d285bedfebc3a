import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { SeineError } from '../../base/errors.ts';
import type { Database } from '../../db/database.ts';
import { createLeaseGroup } from '../leases/lease-group-store.ts';
import type { Amount, Budget } from './budget.ts';
import { readBudget, reserveBudget, setBudget } from './budget-store.ts';
import { type LocalBudget, openLocalBudget } from './local-budget.ts';
import { raiseBudget } from './raise-budget.ts';

let db: Database & { readonly url: string };
beforeAll(async () => {
  db = await freshDatabase(10);
});
afterAll(() => db.close());

const never = new AbortController().signal;
const READ: Amount = { requests: 1, bytes: 1000, nanos: 500 };

async function newWork(budget: Budget): Promise<number> {
  return db.tx(async (tx) => {
    const work = await createLeaseGroup(tx, { tenant: 'default', kind: 'test', priority: 0 });
    await setBudget(tx, work, budget);
    return work;
  });
}

const used = async (work: number) => (await readBudget(db, work))!.used;

/** Spends until it is refused; how often it was not. */
async function spendAll(purse: LocalBudget, need = READ): Promise<{ sent: number; error: SeineError }> {
  for (let sent = 0; ; sent++) {
    try {
      await purse.consume(need, never);
    } catch (error) {
      if (error instanceof SeineError) return { sent, error };
      throw error;
    }
  }
}

describe('a budget of requests', () => {
  it.each([1, 8, 32])('is not exceeded by %i workers, and hardly anything of it is left', async (workers) => {
    const work = await newWork({ requests: 2000 });
    const purses = await Promise.all(Array.from({ length: workers }, () => openLocalBudget(db, work)));
    const ends = await Promise.all(purses.map((purse) => spendAll(purse!)));
    const sent = ends.reduce((total, end) => total + end.sent, 0);
    await Promise.all(purses.map((purse) => purse!.close()));
    expect(sent).toBeLessThanOrEqual(2000);
    expect(sent).toBeGreaterThanOrEqual(2000 - 2 * workers);
    expect(await used(work)).toMatchObject({ requests: sent, bytes: sent * 1000 });
  });

  it('says which limit is spent, what was used, and how to go on', async () => {
    const work = await newWork({ requests: 2000, cost: 40, currency: '€' });
    const purse = (await openLocalBudget(db, work))!;
    const { error } = await spendAll(purse);
    expect(error).toMatchObject({ kind: 'limit', retry: false });
    expect(error.message).toMatch(
      /^The budget is spent: 2,000 requests of requests=2k \(with 2.*MB, €0\.00\d\d, \d+s\)\.$/,
    );
    expect(error.hint).toBe(`Go on with a larger one, such as: seine resume ${work} --budget "requests=4k"`);
    await purse.close();
  });

  it('costs one statement for many requests', async () => {
    const work = await newWork({ requests: 1e9 });
    const purse = (await openLocalBudget(db, work))!;
    const query = vi.spyOn(db, 'query');
    for (let n = 0; n < 5000; n++) await purse.consume(READ, never);
    expect(query.mock.calls.length).toBeLessThan(100);
    query.mockRestore();
    await purse.close();
    expect(await used(work)).toMatchObject({ requests: 5000, bytes: 5e6, cost: 0.0025 });
  });
});

describe('a budget of bytes or money', () => {
  it('lets the request pass that goes over it, and no other', async () => {
    const work = await newWork({ bytes: 10_500 });
    const purses = await Promise.all(Array.from({ length: 8 }, () => openLocalBudget(db, work)));
    const ends = await Promise.all(purses.map((purse) => spendAll(purse!)));
    expect(ends.reduce((total, end) => total + end.sent, 0)).toBe(11);
    expect(ends[0]!.error.message).toContain('11kB of bytes=10.5kB');
    await Promise.all(purses.map((purse) => purse!.close()));
  });

  it('that is spent does not stop requests that need none of it', async () => {
    const work = await newWork({ bytes: 1000, cost: 1 });
    const purse = (await openLocalBudget(db, work))!;
    await purse.consume(READ, never);
    await purse.consume({ requests: 1, bytes: 0, nanos: 5000 }, never);
    await expect(purse.consume(READ, never)).rejects.toThrow('1kB of bytes=1kB');
    await purse.close();
  });

  it('adds up small prices exactly', async () => {
    const work = await newWork({ cost: 0.001 });
    const { sent } = await spendAll((await openLocalBudget(db, work))!, {
      requests: 1,
      bytes: 0,
      nanos: 400,
    });
    expect(sent).toBe(2500);
  });
});

describe('a worker that crashes', () => {
  it('leaves what it had reserved counted as used, and never more than a small part of the rest', async () => {
    const work = await newWork({ requests: 6400 });
    const answer = (await reserveBudget(db, work, READ, { requests: 5000, bytes: 0, nanos: 0 }))!;
    expect(answer.granted).toMatchObject({ requests: 100 });
    const { sent } = await spendAll((await openLocalBudget(db, work))!);
    expect(sent).toBe(6300);
    expect(await used(work)).toMatchObject({ requests: 6400 });
  });
});

describe('what was reserved and not used', () => {
  afterEach(() => void vi.useRealTimers());

  it('is given back at the end', async () => {
    const work = await newWork({ requests: 1e6 });
    const purse = (await openLocalBudget(db, work))!;
    for (let n = 0; n < 100; n++) await purse.consume(READ, never);
    purse.refund(READ);
    await purse.close();
    expect(await used(work)).toMatchObject({ requests: 99, bytes: 99_000 });
  });

  it('is given back when nobody has asked for a while', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const work = await newWork({ requests: 1e6 });
    const purse = (await openLocalBudget(db, work))!;
    for (let n = 0; n < 100; n++) await purse.consume(READ, never);
    expect((await used(work)).requests).toBeGreaterThan(100);
    vi.advanceTimersByTime(2000);
    while ((await used(work)).requests > 100) await sleep(5);
    expect(await used(work)).toMatchObject({ requests: 100 });
    await purse.close();
  });

  it('is not given back twice when the answer is lost', async () => {
    const work = await newWork({ requests: 1e6 });
    const lossy: Database = {
      ...db,
      query: async (sql, params) => {
        const result = await db.query<never>(sql, params);
        if (sql.startsWith('update budget')) throw new SeineError('unavailable', 'The answer was lost.');
        return result;
      },
    };
    const purse = (await openLocalBudget(lossy, work))!;
    for (let n = 0; n < 100; n++) await purse.consume(READ, never);
    await purse.close().catch(() => {});
    await purse.close().catch(() => {});
    expect(await used(work)).toMatchObject({ requests: 100 });
  });
});

describe('a spent budget', () => {
  it('is told once by each worker, and stays spent although something was given back', async () => {
    const work = await newWork({ requests: 50 });
    const onExhausted = vi.fn();
    const [one, other] = [
      (await openLocalBudget(db, work, { onExhausted }))!,
      (await openLocalBudget(db, work))!,
    ];
    await spendAll(other);
    for (let n = 0; n < 3; n++) await expect(one.consume(READ, never)).rejects.toThrow('spent');
    expect(onExhausted).toHaveBeenCalledTimes(1);
    expect(onExhausted).toHaveBeenCalledWith(expect.objectContaining({ exhaustedLimit: 'requests' }));
    other.refund(READ);
    await other.close();
    expect(await readBudget(db, work)).toMatchObject({ exhaustedLimit: 'requests', used: { requests: 49 } });
    await expect((await openLocalBudget(db, work))!.consume(READ, never)).rejects.toThrow('spent');
  });

  it('goes on when it is raised, also for a worker that found it spent', async () => {
    const work = await newWork({ requests: 50, bytes: 1e6 });
    const purse = (await openLocalBudget(db, work))!;
    await spendAll(purse);
    expect(await db.tx((tx) => raiseBudget(tx, work, { requests: 70 }))).toMatchObject({
      limits: { requests: 70, bytes: 1e6 },
      exhaustedLimit: null,
    });
    const goesOn = () =>
      purse.consume(READ, never).then(
        () => true,
        () => false,
      );
    while (!(await goesOn())) await sleep(50);
    const { sent } = await spendAll(purse);
    expect(sent).toBe(19);
    await purse.close();
  });

  it('cannot be raised to what is used already', async () => {
    const work = await newWork({ requests: 50, bytes: 50_000 });
    await spendAll((await openLocalBudget(db, work))!);
    const raise = (budget: Budget) => db.tx((tx) => raiseBudget(tx, work, budget));
    await expect(raise({ requests: 20 })).rejects.toThrow(
      'requests=50 was used already, and the limit is requests=20',
    );
    await expect(raise({ requests: 100 })).rejects.toThrow('bytes=50kB was used already');
    await raise({ requests: 100, bytes: 1e6 });
  });
});

describe('a budget of time', () => {
  afterAll(() => setClock('now()'));

  async function setClock(expression: string): Promise<void> {
    await db.query(
      `create or replace function seine.clock() returns timestamptz language sql stable as $$ select ${expression} $$`,
    );
  }
  const at = (seconds: number) =>
    setClock(`timestamptz '2030-01-01 00:00:00Z' + ${seconds} * interval '1 s'`);

  it('counts while somebody works, not the night between', async () => {
    const work = await newWork({ seconds: 100 });
    for (const second of [0, 10, 20, 50_000, 50_010, 50_020]) {
      await at(second);
      await reserveBudget(db, work, READ, READ);
    }
    expect((await used(work)).seconds).toBe(20 + 30 + 20);
  });

  it('is not moved by a clock that is set back, and goes on with it', async () => {
    const work = await newWork({ seconds: 100 });
    for (const second of [5000, 5010, 0, 10, 20]) {
      await at(second);
      await reserveBudget(db, work, READ, READ);
    }
    expect((await used(work)).seconds).toBe(30);
  });

  it('ends also when no request is made', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const work = await newWork({ seconds: 25 });
    await at(0);
    const exhaustedLimit = Promise.withResolvers<string | null>();
    const purse = (await openLocalBudget(db, work, {
      onExhausted: (state) => exhaustedLimit.resolve(state.exhaustedLimit),
    }))!;
    await purse.consume(READ, never);
    await at(26);
    vi.advanceTimersByTime(6000);
    expect(await exhaustedLimit.promise).toBe('time');
    await expect(purse.consume(READ, never)).rejects.toThrow('26s of time=25s');
    await purse.close();
    vi.useRealTimers();
  });
});

it('a work without a budget has no purse', async () => {
  const work = await db.tx((tx) => createLeaseGroup(tx, { tenant: 'default', kind: 'test', priority: 0 }));
  expect(await openLocalBudget(db, work)).toBeNull();
  expect(await readBudget(db, work)).toBeNull();
});

it('a request that was given up before its turn is not counted', async () => {
  const work = await newWork({ requests: 10 });
  const purse = (await openLocalBudget(db, work))!;
  await expect(purse.consume(READ, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  await purse.close();
  expect(await used(work)).toMatchObject({ requests: 0 });
});
