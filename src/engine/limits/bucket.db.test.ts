import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { repeatWhile, waitUntil } from '../../../test/support/wait-for.ts';
import type { Database } from '../../db/database.ts';
import { HORIZON_MS, toLimit } from './limit.ts';
import { createLimiter, type Limiter } from './limiter.ts';
import { firstExcess, ModelBucket } from './model-bucket.ts';
import { createPgBucket } from './pg-bucket.ts';
import { createRate } from './rates.ts';

let db: Database & { readonly url: string };
beforeAll(async () => {
  db = await freshDatabase(20);
});
afterAll(() => db.close());

const LIMIT = toLimit({ perSecond: 100, burst: 75 });
let quotas = 0;
const newQuota = () => `test:${++quotas}`;
const never = new AbortController().signal;

/** Stops the database's clock, or sets it off by this much. */
const stopClock = (ms: number) => setClock(`timestamptz '2030-01-01 00:00:00Z' + ${ms} * interval '1 ms'`);
const shiftClock = (ms: number) => setClock(`now() + ${ms} * interval '1 ms'`);

async function setClock(expression: string): Promise<void> {
  await db.query(
    `create or replace function seine.clock() returns timestamptz language sql stable as $$ select ${expression} $$`,
  );
}

const step = fc.record({
  after: fc.oneof(fc.nat(20), fc.nat(400), fc.nat(20_000), fc.integer({ min: -100_000, max: 0 })),
  count: fc.integer({ min: 1, max: 40 }),
  complaint: fc.oneof(
    { arbitrary: fc.constant(null), weight: 5 },
    { arbitrary: fc.oneof(fc.constant(0), fc.nat(5000), fc.constant(1e7)), weight: 1 },
  ),
});

describe('a bucket in PostgreSQL', () => {
  it('returns the same as the model, for any requests and clock changes', async () => {
    const rates = fc.constantFrom(createRate(100), createRate(0.5), createRate(3000), createRate(7, 3));
    const property = fc.asyncProperty(rates, fc.array(step, { maxLength: 25 }), async (rate, steps) => {
      const [bucket, quota, limit] = [createPgBucket(db), newQuota(), toLimit(rate)];
      let now = 0;
      await stopClock(now);
      const model = new ModelBucket(limit, now);
      await bucket.take(quota, limit, 1);
      model.take(now, 1);
      for (const { after, count, complaint } of steps) {
        now += after;
        await stopClock(now);
        if (complaint !== null) {
          await bucket.slow(quota, limit, complaint);
          model.slow(now, complaint);
        }
        const [answer, expected] = [await bucket.take(quota, limit, count), model.take(now, count)];
        if (Math.abs(expected.inMs - HORIZON_MS) < 0.1) return; // a microsecond decides
        expect(answer.tokens).toBe(expected.tokens);
        expect(answer.inMs).toBeCloseTo(expected.inMs, 1);
        expect(answer.perSecond).toBeCloseTo(expected.perSecond, 3);
      }
    });
    await fc.assert(property, { numRuns: 25 });
  }, 60_000);

  it('gives each slot once when many ask at the same moment', async () => {
    const bucket = createPgBucket(db);
    const quota = newQuota();
    await stopClock(0);
    const model = new ModelBucket(LIMIT, 0);
    const expected = Array.from({ length: 120 }, () => model.take(0, 1));
    const answers = await Promise.all(expected.map(() => bucket.take(quota, LIMIT, 1)));
    const sorted = answers.filter((answer) => answer.tokens > 0).map((answer) => Math.round(answer.inMs));
    expect(sorted.sort((a, b) => a - b)).toEqual(
      expected.filter((answer) => answer.tokens > 0).map((answer) => Math.round(answer.inMs)),
    );
  });

  it('loses only the batch of a worker that crashes', async () => {
    const bucket = createPgBucket(db);
    const quota = newQuota();
    await stopClock(0);
    await bucket.take(quota, LIMIT, 1);
    await stopClock(10_000);
    expect(await bucket.take(quota, LIMIT, 1000)).toMatchObject({ tokens: 25 }); // never used
    expect(await bucket.take(quota, LIMIT, 5)).toMatchObject({ tokens: 5, inMs: 50 });
  });

  it('cares for the clock of the database only', async () => {
    const bucket = createPgBucket(db);
    await stopClock(0);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    try {
      const quota = newQuota();
      expect(await bucket.take(quota, LIMIT, 5)).toEqual({ tokens: 5, inMs: 50, perSecond: 100 });
      vi.setSystemTime(Date.now() - 2 * 86_400_000);
      expect(await bucket.take(quota, LIMIT, 5)).toEqual({ tokens: 5, inMs: 100, perSecond: 100 });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('24 takers at one quota in PostgreSQL', () => {
  const TAKERS = 24;
  const rate = createRate(400);

  async function run(meanwhile: (uses: number[]) => Promise<void> = async () => {}): Promise<number[]> {
    const quota = newQuota();
    const uses: number[] = [];
    // The workers know their number: when a slow server does not answer in time, all together continue at
    // half of the rate.
    const options = { db, rates: { [quota]: rate }, workers: () => TAKERS };
    const limiters = Array.from({ length: TAKERS }, () => createLimiter(options));
    const enough = new AbortController();
    const take = async (limiter: Limiter) => {
      while (uses.length < 800) {
        await limiter.take(quota, 1, enough.signal);
        uses.push(performance.now());
      }
      enough.abort();
    };
    const takers = limiters.map((limiter) => take(limiter).catch(() => {}));
    await meanwhile(uses);
    await Promise.all(takers);
    await Promise.all(limiters.map((limiter) => limiter.close()));
    return uses;
  }

  const reached = async (uses: number[], n: number) => {
    await waitUntil(`${n} uses of the rate`, () => uses.length >= n);
  };

  it('never exceed its rate', async () => {
    await shiftClock(0);
    expect(firstExcess(rate, await run())).toBeNull();
  });

  it('nor when the clock is set back by an hour, and no worker stalls', async () => {
    await shiftClock(0);
    const uses = await run(async (sofar) => {
      await reached(sofar, 200);
      await shiftClock(-3_600_000);
    });
    expect(firstExcess(rate, uses)).toBeNull();
  });

  it('have one more burst at most when it is set forward', async () => {
    await shiftClock(0);
    const uses = await run(async (sofar) => {
      await reached(sofar, 200);
      await shiftClock(3_600_000);
    });
    expect(firstExcess({ ...rate, burst: 2 * rate.burst }, uses)).toBeNull();
  });
});

it('the shared rate is reduced without the database, and restored when it is back', async () => {
  let away = false;
  const flaky: Database = {
    ...db,
    query: (sql, params) => (away ? Promise.reject(new Error('gone')) : db.query(sql, params)),
  };
  const said: string[] = [];
  const quota = newQuota();
  const rate = createRate(200);
  const limiter = createLimiter({ db: flaky, rates: { [quota]: rate }, log: (text) => said.push(text) });
  const uses: number[] = [];
  const take = async (n: number) => {
    for (let i = 0; i < n; i++) {
      await limiter.take(quota, 1, never);
      uses.push(performance.now());
    }
  };
  await take(100);
  away = true;
  await repeatWhile('the shared rate', async () => {
    await take(1);
    return said.length === 0;
  });
  expect(said).toEqual([expect.stringContaining('gone')]);
  const degraded = uses.length;
  await take(20);
  expect(firstExcess({ perSecond: 20, burst: 2 }, uses.slice(degraded))).toBeNull();
  away = false;
  await take(200);
  expect(said).toEqual([expect.anything(), expect.stringContaining('shared again')]);
  expect(limiter.stats()).toMatchObject([{ degraded: false, waiting: 0 }]);
  expect(firstExcess(rate, uses)).toBeNull();
  await limiter.close();
}, 60_000);
