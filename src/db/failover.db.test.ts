import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, workerDeps } from '../../test/support/scan.ts';
import { SeineError } from '../base/errors.ts';
import { runWorker } from '../scans/run-scan.ts';
import { coverageSums } from '../scans/shard/shard-store.ts';
import { createMemorySource } from '../sources/memory/memory.ts';
import { type Database, one } from './database.ts';
import { openDatabase } from './pool.ts';

let db: Database & { url: string };
let single: Database;
beforeAll(async () => {
  db = await freshDatabase(4);
  await db.query('create table public.item (id int)');
});
beforeEach(async () => {
  single = await openDatabase({ databaseUrl: db.url, max: 1 });
  return () => single.close();
});
afterAll(() => db.close());

describe('a connection that is read-only', () => {
  const demote = () => single.query('set session characteristics as transaction read only');

  it('is discarded after a statement that tried to write', async () => {
    await demote();
    await expect(single.query('insert into item values (1)')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('read-only'),
      retry: true,
    });
    await single.query('insert into item values (1)');
  });

  it('is discarded after a transaction that tried to write', async () => {
    await demote();
    const write = () => single.tx((tx) => tx.query('insert into item values (2)'));
    await expect(write()).rejects.toMatchObject({ kind: 'unavailable' });
    await write();
  });
});

describe('a prepared statement', () => {
  const ask = (of: Database) => of.query('select * from public.shape where id >= $1', [0], 'shape');

  it('whose table was changed is repeated on another connection', async () => {
    await db.query('create table public.shape (id int)');
    await ask(single);
    await db.query('alter table public.shape add more text');
    await expect(ask(single)).rejects.toMatchObject({ kind: 'unavailable', retry: true });
    await ask(single);
  });

  it('that the session has lost is repeated on another connection', async () => {
    const count = (of: Database) => of.query('select $1::int as n', [1], 'count');
    await count(single);
    await single.query('deallocate all');
    await expect(count(single)).rejects.toMatchObject({ kind: 'unavailable', retry: true });
    await count(single);
  });
});

describe('a statement that was cancelled', () => {
  it('may be repeated on the same connection', async () => {
    const { pid } = await one<{ pid: number }>(single, 'select pg_backend_pid() as pid');
    const asleep = single.query('select pg_sleep(60)');
    const cancel = () => one<{ done: boolean }>(db, 'select pg_cancel_backend($1) as done', [pid]);
    const cancelling = setInterval(() => void cancel(), 20); // it may not have started yet
    await expect(asleep)
      .rejects.toMatchObject({ kind: 'conflict', retry: true })
      .finally(() => clearInterval(cancelling));
    await expect.poll(() => one(single, 'select pg_backend_pid() as pid').catch(() => null)).toEqual({ pid });
  });
});

describe('a worker whose primary is demoted', () => {
  it('waits, and continues when the database is writable again', async () => {
    const source = createMemorySource(
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f/${1000 + i}.txt`, `nothing in ${i}`])),
      { id: 'memory:demoted', batch: 20 },
    );
    const scan = await plannedScan(db, source);
    const { jobs } = recordingJobs(db);
    await recordingJobs(db).sent();
    const { name } = await one<{ name: string }>(db, 'select current_database() as name');
    const others = `select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid()`;
    /** Ends old sessions; new ones get the setting of the database. */
    const writable = async (value: boolean) => {
      await db.tx(async (tx) => {
        await tx.query('set transaction read write');
        await tx.query(`alter database ${name} set default_transaction_read_only = ${value ? 'off' : 'on'}`);
      });
      await db.query(others);
    };
    const own = await openDatabase({ databaseUrl: db.url, max: 3 });
    const refusals: unknown[] = [];
    const noting: Database = {
      ...own,
      tx: (work) =>
        own.tx(work).catch((error) => {
          refusals.push(error);
          throw error;
        }),
      query: (...args: Parameters<Database['query']>) =>
        own.query<never>(...args).catch((error) => {
          refusals.push(error);
          throw error;
        }),
    };
    let submitted = 0;
    let demoted: Promise<void> | null = null;
    const pool = inspectInProcess(source, (_, inspection) => {
      if (++submitted === 100) demoted = writable(false);
      return inspection();
    });
    const stop = new AbortController();
    const working = runWorker(workerDeps(noting, source, jobs, { concurrency: 1, pool }), stop.signal);
    working.catch(() => {});
    const readOnly = () => refusals.filter((error) => /read-only/.test(String(error))).length;
    await expect.poll(readOnly).toBeGreaterThan(2);
    await demoted;
    await writable(true);
    await expect.poll(async () => (await coverageSums(db, scan)).ledgered).toBe(300);
    stop.abort();
    await working;
    await own.close();
  });
});

describe('a worker whose database is away', () => {
  it('stops quickly when it is aborted, although it would wait for minutes', async () => {
    const source = createMemorySource(
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f/${1000 + i}.txt`, `nothing in ${i}`])),
      { id: 'memory:away', batch: 20 },
    );
    await plannedScan(db, source);
    const { jobs } = recordingJobs(db);
    await recordingJobs(db).sent();
    let isAway = false;
    let refused = 0;
    const closeUnlessUnreachable = <T>(ask: () => Promise<T>): Promise<T> => {
      if (!isAway) return ask();
      refused++;
      return Promise.reject(new SeineError('unavailable', 'The database cannot be reached.'));
    };
    const own: Database = {
      ...db,
      tx: (work) => closeUnlessUnreachable(() => db.tx(work)),
      query: (...args: Parameters<Database['query']>) =>
        closeUnlessUnreachable(() => db.query<never>(...args)),
    };
    let submitted = 0;
    const pool = inspectInProcess(source, (_, inspection) => {
      if (++submitted === 100) isAway = true;
      return inspection();
    });
    const stop = new AbortController();
    const working = runWorker(workerDeps(own, source, jobs, { pool }), stop.signal);
    await expect.poll(() => refused).toBeGreaterThan(5);
    stop.abort();
    await working;
  });
});
