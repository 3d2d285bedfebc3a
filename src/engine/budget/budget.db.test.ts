import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
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

/** Consumes until rejected; returns the number of admitted requests and the error. */
async function spendAll(local: LocalBudget, need = READ): Promise<{ sent: number; error: SeineError }> {
  for (let sent = 0; ; sent++) {
    try {
      await local.consume(need, never);
    } catch (error) {
      if (error instanceof SeineError) return { sent, error };
      throw error;
    }
  }
}

describe('a budget of requests', () => {
  it.each([1, 8, 32])('is not exceeded by %i workers, and hardly anything of it is left', async (workers) => {
    const work = await newWork({ requests: 2000 });
    const locals = await Promise.all(Array.from({ length: workers }, () => openLocalBudget(db, work)));
    const ends = await Promise.all(locals.map((local) => spendAll(local!)));
    const sent = ends.reduce((total, end) => total + end.sent, 0);
    await Promise.all(locals.map((local) => local!.close()));
    expect(sent).toBeLessThanOrEqual(2000);
    expect(sent).toBeGreaterThanOrEqual(2000 - 2 * workers);
    expect(await used(work)).toMatchObject({ requests: sent, bytes: sent * 1000 });
  });

  it('names the exhausted limit, the usage and the command to continue', async () => {
    const work = await newWork({ requests: 2000, cost: 40, currency: '€' });
    const local = (await openLocalBudget(db, work))!;
    const { error } = await spendAll(local);
    expect(error).toMatchObject({ kind: 'limit', retry: false });
    expect(error.message).toMatch(
      /^The budget is spent: 2,000 requests of requests=2k \(with 2.*MB, €0\.00\d\d, \d+s\)\.$/,
    );
    expect(error.hint).toBe(`Resume with a larger one, such as: seine resume ${work} --budget "requests=4k"`);
    await local.close();
  });

  it('costs one statement for many requests', async () => {
    const work = await newWork({ requests: 1e9 });
    const local = (await openLocalBudget(db, work))!;
    const query = vi.spyOn(db, 'query');
    for (let n = 0; n < 5000; n++) await local.consume(READ, never);
    expect(query.mock.calls.length).toBeLessThan(100);
    query.mockRestore();
    await local.close();
    expect(await used(work)).toMatchObject({ requests: 5000, bytes: 5e6, cost: 0.0025 });
  });
});

describe('a budget of bytes or money', () => {
  it('admits one request that exceeds it, and no other', async () => {
    const work = await newWork({ bytes: 10_500 });
    const locals = await Promise.all(Array.from({ length: 8 }, () => openLocalBudget(db, work)));
    const ends = await Promise.all(locals.map((local) => spendAll(local!)));
    expect(ends.reduce((total, end) => total + end.sent, 0)).toBe(11);
    expect(ends[0]!.error.message).toContain('11kB of bytes=10.5kB');
    await Promise.all(locals.map((local) => local!.close()));
  });

  it('does not reject requests that need none of it once exhausted', async () => {
    const work = await newWork({ bytes: 1000, cost: 1 });
    const local = (await openLocalBudget(db, work))!;
    await local.consume(READ, never);
    await local.consume({ requests: 1, bytes: 0, nanos: 5000 }, never);
    await expect(local.consume(READ, never)).rejects.toThrow('1kB of bytes=1kB');
    await local.close();
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
  it('leaves its reservation counted as used, which is a small share of what is left', async () => {
    const work = await newWork({ requests: 6400 });
    const answer = (await reserveBudget(db, work, READ, { requests: 5000, bytes: 0, nanos: 0 }))!;
    expect(answer.granted).toMatchObject({ requests: 100 });
    const { sent } = await spendAll((await openLocalBudget(db, work))!);
    expect(sent).toBe(6300);
    expect(await used(work)).toMatchObject({ requests: 6400 });
  });
});

describe('an unused reservation', () => {
  afterEach(() => void vi.useRealTimers());

  it('is released on close', async () => {
    const work = await newWork({ requests: 1e6 });
    const local = (await openLocalBudget(db, work))!;
    for (let n = 0; n < 100; n++) await local.consume(READ, never);
    local.refund(READ);
    await local.close();
    expect(await used(work)).toMatchObject({ requests: 99, bytes: 99_000 });
  });

  it('is released after an idle period', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const work = await newWork({ requests: 1e6 });
    const local = (await openLocalBudget(db, work))!;
    for (let n = 0; n < 100; n++) await local.consume(READ, never);
    expect((await used(work)).requests).toBeGreaterThan(100);
    vi.advanceTimersByTime(2000);
    await waitUntil('the release of what was reserved', async () => (await used(work)).requests <= 100);
    expect(await used(work)).toMatchObject({ requests: 100 });
    await local.close();
  });

  it('is not released twice when the reply is lost', async () => {
    const work = await newWork({ requests: 1e6 });
    let lost = 0;
    const lossy: Database = {
      ...db,
      query: async (sql, params) => {
        const result = await db.query<never>(sql, params);
        if (!sql.startsWith('update lease_group_budget')) return result;
        lost++;
        throw new SeineError('unavailable', 'The answer was lost.');
      },
    };
    const local = (await openLocalBudget(lossy, work))!;
    for (let n = 0; n < 100; n++) await local.consume(READ, never);
    await local.close().catch(() => {});
    await local.close().catch(() => {});
    expect(lost).toBeGreaterThan(0);
    expect(await used(work)).toMatchObject({ requests: 100 });
  });
});

describe('an exhausted budget', () => {
  it('is reported once per worker, and stays exhausted although something was released', async () => {
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

  it('continues after it is raised, also for a worker that saw it exhausted', async () => {
    const work = await newWork({ requests: 50, bytes: 1e6 });
    const local = (await openLocalBudget(db, work))!;
    await spendAll(local);
    expect(await db.tx((tx) => raiseBudget(tx, work, { requests: 70 }))).toMatchObject({
      limits: { requests: 70, bytes: 1e6 },
      exhaustedLimit: null,
    });
    const goesOn = () =>
      local.consume(READ, never).then(
        () => true,
        () => false,
      );
    await waitUntil('the raised budget to be seen', async () => await goesOn());
    const { sent } = await spendAll(local);
    expect(sent).toBe(19);
    await local.close();
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

  it('counts time with active workers, not the idle time between', async () => {
    const work = await newWork({ seconds: 100 });
    for (const second of [0, 10, 20, 50_000, 50_010, 50_020]) {
      await at(second);
      await reserveBudget(db, work, READ, READ);
    }
    expect((await used(work)).seconds).toBe(20 + 30 + 20);
  });

  it('does not change when the clock is set back, and continues to count', async () => {
    const work = await newWork({ seconds: 100 });
    for (const second of [5000, 5010, 0, 10, 20]) {
      await at(second);
      await reserveBudget(db, work, READ, READ);
    }
    expect((await used(work)).seconds).toBe(30);
  });

  it('is exhausted also without requests', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const work = await newWork({ seconds: 25 });
    await at(0);
    const exhaustedLimit = Promise.withResolvers<string | null>();
    const local = (await openLocalBudget(db, work, {
      onExhausted: (state) => exhaustedLimit.resolve(state.exhaustedLimit),
    }))!;
    await local.consume(READ, never);
    await at(26);
    vi.advanceTimersByTime(6000);
    expect(await exhaustedLimit.promise).toBe('time');
    await expect(local.consume(READ, never)).rejects.toThrow('26s of time=25s');
    await local.close();
    vi.useRealTimers();
  });
});

it('a lease group without a budget has no local budget', async () => {
  const work = await db.tx((tx) => createLeaseGroup(tx, { tenant: 'default', kind: 'test', priority: 0 }));
  expect(await openLocalBudget(db, work)).toBeNull();
  expect(await readBudget(db, work)).toBeNull();
});

it('a request aborted before admission is not counted', async () => {
  const work = await newWork({ requests: 10 });
  const local = (await openLocalBudget(db, work))!;
  await expect(local.consume(READ, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  await local.close();
  expect(await used(work)).toMatchObject({ requests: 0 });
});
