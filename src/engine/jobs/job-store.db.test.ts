import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many, one } from '../../db/database.ts';
import {
  type ClaimedJob,
  claimJob,
  completeJob,
  delayExhaustedJob,
  dueQueues,
  failExpiredJobs,
  failJob,
  insertJob,
  MAX_ATTEMPTS,
  type NewJob,
  removeExhaustedJob,
  renewJob,
} from './job-store.ts';

const TTL_MS = 15_000;

let db: Database;
let advance: (ms: number) => Promise<void>;
beforeAll(async () => {
  db = await freshDatabase();
  advance = await movableClock(db);
});
afterEach(() => db.query('delete from job'));
afterAll(() => db.close());

function send(job: Partial<NewJob> = {}): Promise<void> {
  const plain = { queue: 'errand', args: {}, afterMs: 0, priority: 0, uniqueKey: null };
  return db.tx((tx) => insertJob(tx, { ...plain, ...job }));
}

const claim = (...queues: string[]) => claimJob(db, queues.length > 0 ? queues : ['errand'], TTL_MS);
const mustClaim = async (): Promise<ClaimedJob> => (await claim())!;
const states = async () =>
  (await many<{ state: string }>(db, 'select state from job order by id')).map(({ state }) => state);
const waitSeconds = async () =>
  (await one<{ s: number }>(db, 'select extract(epoch from run_at - clock())::float8 as s from job')).s;

async function expire(): Promise<void> {
  await advance(TTL_MS + 1);
  expect(await failExpiredJobs(db)).toBe(1);
}

/** Until the next attempt is due, however long the pause. */
const skipPause = () => advance(7_300_000);

describe('a job', () => {
  it('is claimed by one process only', async () => {
    await send();
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim()));
    expect(claims.filter((job) => job !== null)).toHaveLength(1);
  });

  it('is gone when it is complete', async () => {
    await send({ args: { scan: 7 } });
    const job = await mustClaim();
    expect(job).toMatchObject({ queue: 'errand', args: { scan: 7 }, attempt: 1 });
    expect(await completeJob(db, job)).toBe(true);
    expect(await states()).toEqual([]);
  });

  it('with a delay is due when that has passed', async () => {
    await send({ afterMs: 60_000 });
    await advance(59_999);
    expect([await claim(), await dueQueues(db, ['errand'])]).toEqual([null, new Set()]);
    await advance(1);
    expect(await dueQueues(db, ['errand'])).toEqual(new Set(['errand']));
    expect(await claim()).not.toBeNull();
  });

  it('is claimed by those who run its queue', async () => {
    await send({ queue: 'hook.machine-1' });
    expect(await claim('hook', 'hook.machine-2')).toBeNull();
    expect(await claim('hook', 'hook.machine-1')).not.toBeNull();
  });

  it('with a higher priority comes first, then the one that was due first, then the one that was sent first', async () => {
    await send({ args: { n: 4 } });
    await send({ args: { n: 5 } });
    await send({ args: { n: 1 }, priority: 9 });
    await send({ args: { n: 6 }, afterMs: 1 });
    await send({ args: { n: 7 }, priority: -1 });
    await send({ args: { n: 3 }, priority: 1, afterMs: 1 });
    await send({ args: { n: 2 }, priority: 1 });
    await advance(1);
    const order = [];
    for (let job = await claim(); job !== null; job = await claim()) order.push(job.args);
    expect(order).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => ({ n })));
  });

  it('stores texts that PostgreSQL cannot, changed as little as possible', async () => {
    await send({ args: { name: 'a\0b' } });
    const job = await mustClaim();
    expect(job.args).toEqual({ name: 'a\u2400b' });
    expect(await failJob(db, job, 'at \0', true)).toBe(true);
  });
});

describe('a unique key', () => {
  const args = async () =>
    (await many<{ args: object }>(db, 'select args from job order by id')).map((row) => row.args);

  it('allows one job as long as that waits, runs, or has its dead letter to come', async () => {
    await send({ uniqueKey: 'a', args: { n: 1 } });
    await send({ uniqueKey: 'a', args: { n: 2 } });
    const job = await mustClaim();
    await send({ uniqueKey: 'a', args: { n: 3 } });
    await failJob(db, job, 'no answer', true);
    await send({ uniqueKey: 'a', args: { n: 4 } });
    expect(await args()).toEqual([{ n: 1 }]);
  });

  it('allows the next one when the job is complete', async () => {
    await send({ uniqueKey: 'a', args: { n: 1 } });
    await completeJob(db, await mustClaim());
    await send({ uniqueKey: 'a', args: { n: 2 } });
    expect(await args()).toEqual([{ n: 2 }]);
  });

  it('holds for its queue only, and jobs without one are never the same', async () => {
    await send({ uniqueKey: 'a' });
    await send({ uniqueKey: 'b' });
    await send({ uniqueKey: 'a', queue: 'other' });
    await send();
    await send();
    expect(await states()).toHaveLength(5);
  });

  it('of a transaction that is rolled back is free: who waits for it then adds the job', async () => {
    const inserted = Promise.withResolvers<void>();
    const rollBack = Promise.withResolvers<void>();
    const first = db.tx(async (tx) => {
      await insertJob(tx, { queue: 'errand', args: { n: 1 }, afterMs: 0, priority: 0, uniqueKey: 'a' });
      inserted.resolve();
      await rollBack.promise;
      throw new Error('changed my mind');
    });
    await inserted.promise;
    const second = send({ uniqueKey: 'a', args: { n: 2 } });
    rollBack.resolve();
    await expect(first).rejects.toThrow('changed my mind');
    await second;
    expect(await args()).toEqual([{ n: 2 }]);
  });
});

describe('a claim', () => {
  it('is kept by its heartbeat', async () => {
    await send();
    const job = await mustClaim();
    for (let beat = 0; beat < 5; beat++) {
      await advance(TTL_MS - 1);
      expect(await renewJob(db, job, TTL_MS)).toBe(true);
      expect(await failExpiredJobs(db)).toBe(0);
    }
    expect(await claim()).toBeNull();
  });

  it('that has expired fences its holder: it can neither complete nor fail what another runs', async () => {
    await send();
    const old = await mustClaim();
    await expire();
    await skipPause();
    const next = await mustClaim();
    expect(next).toMatchObject({ id: old.id, attempt: 2 });
    expect(await renewJob(db, old, TTL_MS)).toBe(false);
    expect(await completeJob(db, old)).toBe(false);
    expect(await failJob(db, old, 'too late', true)).toBe(false);
    expect(await completeJob(db, next)).toBe(true);
  });

  it('that has expired fences its holder before anybody else runs the job, too', async () => {
    await send();
    const old = await mustClaim();
    await expire();
    expect([await renewJob(db, old, TTL_MS), await completeJob(db, old)]).toEqual([false, false]);
    expect(await states()).toEqual(['available']);
  });

  it('that a failover has undone fences its holder, although the next one draws the same token', async () => {
    await send();
    const old = await mustClaim();
    await db.query(`update job set state = 'available', token = token - 1, attempt = 0, claim_id = null`);
    const next = await mustClaim();
    expect(next.token).toBe(old.token);
    expect([await completeJob(db, old), await failJob(db, old, 'undone', false)]).toEqual([false, false]);
    expect(await completeJob(db, next)).toBe(true);
  });

  it('expires when the clock of the server is set back, instead of waiting for it to catch up', async () => {
    await send();
    await mustClaim();
    await advance(-3_600_000);
    expect(await failExpiredJobs(db)).toBe(1);
    await advance(3_600_000);
  });

  it('is completed once: the repetition after a lost answer finds nothing, and changes nothing', async () => {
    await send();
    const job = await mustClaim();
    expect([await completeJob(db, job), await completeJob(db, job)]).toEqual([true, false]);
    await send();
    expect(await completeJob(db, job)).toBe(false);
    expect(await states()).toEqual(['available']);
  });
});

describe('a failed attempt', () => {
  it.each(['an error', 'a crash'])(
    'by %s is followed by another one after a pause that doubles',
    async (why) => {
      await send();
      for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
        const job = await mustClaim();
        expect(job.attempt).toBe(attempt);
        if (why === 'a crash') await expire();
        else await failJob(db, job, 'no answer', false);
        const pause = await waitSeconds();
        expect(pause).toBeGreaterThanOrEqual(2 ** (attempt - 1));
        expect(pause).toBeLessThanOrEqual(2 ** attempt);
        expect(await claim()).toBeNull();
        await skipPause();
      }
      expect((await mustClaim()).attempt).toBe(MAX_ATTEMPTS);
    },
  );

  it('is not the last one until all are used up; crashes are counted', async () => {
    await send({ args: { scan: 7 } });
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      expect(await states()).toEqual(['available']);
      await mustClaim();
      await expire();
      await skipPause();
    }
    expect(await states()).toEqual(['exhausted']);
    expect(await dueQueues(db, [])).toEqual(new Set([null]));
    const removed = await db.tx(removeExhaustedJob);
    expect(removed).toMatchObject({ queue: 'errand', args: { scan: 7 }, crashes: MAX_ATTEMPTS, error: null });
  });

  it('that none can mend is the last one', async () => {
    await send();
    await failJob(db, await mustClaim(), 'It makes no sense.', true);
    expect(await db.tx(removeExhaustedJob)).toMatchObject({ crashes: 0, error: 'It makes no sense.' });
  });
});

describe('a job without attempts left', () => {
  const exhausted = async () => {
    await send();
    await failJob(db, await mustClaim(), 'no answer', true);
  };

  it('is removed by one process only', async () => {
    await exhausted();
    const removed = await Promise.all([1, 2, 3].map(() => db.tx(removeExhaustedJob)));
    expect(removed.filter((job) => job !== null)).toHaveLength(1);
  });

  it('stays when its dead letter was not written, and is due again after a pause', async () => {
    await exhausted();
    const failing = db.tx(async (tx) => {
      const { id } = (await removeExhaustedJob(tx))!;
      throw new Error(String(id));
    });
    const id = Number(await failing.catch((error: Error) => error.message));
    await delayExhaustedJob(db, id);
    expect(await dueQueues(db, [])).toEqual(new Set());
    await skipPause();
    expect(await dueQueues(db, [])).toEqual(new Set([null]));
    expect(await db.tx(removeExhaustedJob)).toMatchObject({ id });
  });
});
