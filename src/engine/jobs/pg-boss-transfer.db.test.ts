import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { type Database, many } from '../../db/database.ts';
import { claimJob } from './job-store.ts';
import { startJobs } from './jobs.ts';
import { addPgBossJob, createPgBossTables } from './pg-boss-tables.fixture.ts';
import { hasPgBossTables, pgBossJobs, transferJobs } from './pg-boss-transfer.ts';

let db: Database;
beforeEach(async () => {
  db = await freshDatabase(6);
  await createPgBossTables(db);
});
afterEach(() => db.close());

const OURS = ['finalize', 'hook'];
const transfer = () => transferJobs(db, OURS);
const left = async () =>
  (await many<{ data: object }>(db, 'select data from seine_jobs.job order by created_on')).map(
    ({ data }) => data,
  );
const ours = () =>
  many<{ queue: string; args: object; state: string }>(
    db,
    'select queue, args, state, attempt, crashes from job order by id',
  );

describe('a job that an old process has sent', () => {
  it.each([
    ['was never fetched', { state: 'created' }, { attempt: 0, crashes: 0, state: 'available' }],
    ['has failed before', { state: 'retry', retryCount: 2 }, { attempt: 3, crashes: 0, state: 'available' }],
    [
      'was run when its process died',
      { state: 'active', retryCount: 1 },
      { attempt: 2, crashes: 1, state: 'available' },
    ],
    [
      'was run by the last of its processes',
      { state: 'active', retryCount: 5 },
      { attempt: 6, crashes: 6, state: 'exhausted' },
    ],
  ] as const)('and that %s is moved, with its attempts', async (_, before, after) => {
    await addPgBossJob(db, { name: 'finalize', data: { scan: 7 }, secondsAgo: 60, ...before });
    expect(await transfer()).toBe(1);
    expect(await left()).toEqual([]);
    expect(await ours()).toEqual([{ queue: 'finalize', args: { scan: 7 }, ...after }]);
    expect(await transfer()).toBe(0);
  });

  it('and that is a dead letter becomes one of the queue it came from', async () => {
    await addPgBossJob(db, { name: 'given-up', sourceName: 'hook.x', data: { scan: 7 }, secondsAgo: 60 });
    await transfer();
    expect(await ours()).toEqual([
      { queue: 'hook.x', args: { scan: 7 }, state: 'exhausted', attempt: 6, crashes: 6 },
    ]);
  });

  it.each([
    ['was just sent', { state: 'created', secondsAgo: 1 }],
    ['is due later', { state: 'created', secondsAgo: -60 }],
    ['is running', { state: 'active', secondsAgo: 16 }],
    ['has ended', { state: 'completed', secondsAgo: 60 }],
    ['is of a queue that this process does not run', { name: 'hook.elsewhere', secondsAgo: 60 }],
  ] as const)('and that %s stays there', async (_, job) => {
    await addPgBossJob(db, { name: 'finalize', data: { scan: 7 }, ...job });
    expect(await transfer()).toBe(0);
    expect(await left()).toHaveLength(1);
  });

  it('and that it is fetching at this moment is run by it alone', async () => {
    await addPgBossJob(db, { name: 'finalize', data: { scan: 7 }, secondsAgo: 60 });
    await db.tx(async (old) => {
      await old.query(
        `update seine_jobs.job set state = 'active', heartbeat_on = now()
         where id = (select id from seine_jobs.job where state < 'active' for update skip locked)`,
      );
      expect(await transfer()).toBe(0);
    });
    expect(await transfer()).toBe(0);
    expect(await ours()).toEqual([]);
  });

  it('is moved once by several processes', async () => {
    for (let scan = 0; scan < 250; scan++)
      await addPgBossJob(db, { name: 'finalize', data: { scan }, secondsAgo: 60 });
    const all = () => repeatWhile('transfers', async () => (await transfer()) > 0);
    await Promise.all([all(), all(), all()]);
    expect(await left()).toEqual([]);
    const scans = (await ours()).map(({ args }) => (args as { scan: number }).scan);
    expect(scans.sort((a, b) => a - b)).toEqual(Array.from({ length: 250 }, (_, scan) => scan));
  });

  it('is not run twice when an old process sent it again because it saw none', async () => {
    const data = { scan: 7, round: 0, n: 0, attempt: 1 };
    for (let n = 0; n < 3; n++) await addPgBossJob(db, { name: 'hook', data, secondsAgo: 60 });
    await transfer();
    expect(await ours()).toHaveLength(1);
    await claimJob(db, ['hook'], 15_000);
    await addPgBossJob(db, { name: 'hook', data, secondsAgo: 60 });
    await addPgBossJob(db, { name: 'hook', data: { ...data, attempt: 2 }, secondsAgo: 60 });
    await transfer();
    expect(await ours()).toMatchObject([{ state: 'running' }, { args: { attempt: 2 } }]);
  });

  it('counts as sent as long as it is there', async () => {
    await addPgBossJob(db, { name: 'hook', data: { n: 1 }, secondsAgo: 0 });
    await addPgBossJob(db, { name: 'hook.x', data: { n: 2 }, state: 'active', secondsAgo: 0 });
    await addPgBossJob(db, { name: 'given-up', sourceName: 'hook', data: { n: 3 }, secondsAgo: 0 });
    await addPgBossJob(db, { name: 'hook', data: { n: 4 }, state: 'completed', secondsAgo: 0 });
    await addPgBossJob(db, { name: 'finalize', data: { n: 5 }, secondsAgo: 0 });
    expect(await pgBossJobs(db, 'hook')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });
});

describe('a process', () => {
  it('runs what old ones have left', async () => {
    await addPgBossJob(db, { name: 'finalize', data: { scan: 7 }, secondsAgo: 60 });
    await addPgBossJob(db, { name: 'given-up', sourceName: 'plan', data: { scan: 8 }, secondsAgo: 60 });
    const ran: object[] = [];
    const jobs = await startJobs(
      db,
      { finalize: async (args: object) => void ran.push(args) },
      { onError() {}, onDeadLetter: (queue, args, reason) => ran.push({ queue, args, reason }) },
    );
    await expect.poll(() => ran.length, { message: 'both jobs' }).toBe(2);
    expect(ran).toContainEqual({ scan: 7 });
    expect(ran).toContainEqual({ queue: 'plan', args: { scan: 8 }, reason: 'crashed the worker 6 times' });
    await jobs.stop();
  });

  it('needs none of that on a database that is new', async () => {
    const fresh = await freshDatabase(2);
    expect(await hasPgBossTables(fresh)).toBe(false);
    expect(await pgBossJobs(fresh, 'hook')).toEqual([]);
    await fresh.close();
  });
});
