import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asOtherRole, freshDatabase } from '../../test/support/database.ts';
import { type PgBouncer, startPgBouncer, whyNoPgBouncer } from '../../test/support/servers/pgbouncer.ts';
import { startJobs } from '../engine/jobs/jobs.ts';
import { type Database, many, one } from './database.ts';
import { openMigrated } from './open-migrated.ts';
import { openDatabase } from './pool.ts';

const missing = await whyNoPgBouncer();

describe.skipIf(missing).each([
  ['that drops start-up options', { ignore_startup_parameters: 'options' }],
  ['that refuses start-up options', {}],
])('behind a PgBouncer in transaction mode %s', (_, settings) => {
  let direct: Database & { url: string };
  let bouncer: PgBouncer;
  let db: Database;
  beforeAll(async () => {
    direct = await freshDatabase(2);
    bouncer = await startPgBouncer(await asOtherRole(direct, direct.url), { pool_size: 2, ...settings });
    db = await openMigrated({
      databaseUrl: bouncer.url,
      max: 6,
      preferIndexes: true,
      endStandstillMs: 12_345,
    });
  });
  afterAll(async () => {
    await db.close();
    await bouncer.stop();
    await direct.close();
  });

  it('a statement has our settings, with and without parameters', async () => {
    const statement = `select current_setting('search_path') as path, current_setting('enable_seqscan') as seqscan`;
    const ours = { path: 'seine,public', seqscan: 'off' };
    expect(await one(db, statement)).toEqual(ours);
    expect(await one(db, `${statement}, $1::int as n`, [7])).toEqual({ ...ours, n: 7 });
    expect(await many(db, 'select name from setting where name = $1', ['none'])).toEqual([]);
  });

  it('a transaction has them, and the server aborts it when it is idle', async () => {
    await db.tx(async (tx) => {
      expect(await one(tx, 'show search_path')).toEqual({ search_path: 'seine, public' });
      expect(await one(tx, 'show idle_in_transaction_session_timeout')).toEqual({
        idle_in_transaction_session_timeout: '12345ms',
      });
    });
  });

  it('a block may commit, as migrations do that change many rows', async () => {
    await db.query('do $$ begin perform 1; commit; end $$');
  });

  it('a transaction may still choose its isolation level', async () => {
    const level = await db.tx(async (tx) => {
      await tx.query('set transaction isolation level repeatable read read only');
      return one(tx, 'show transaction_isolation');
    });
    expect(level).toEqual({ transaction_isolation: 'repeatable read' });
  });

  it('none of them stays in the shared session', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => one(db, 'select $1::int as n', [n])));
    const plain = await openDatabase({ databaseUrl: bouncer.url, max: 1 });
    expect(await one(plain, 'show enable_seqscan')).toEqual({ enable_seqscan: 'on' });
    await plain.close();
  });

  it('concurrent named statements never use a statement of another session', async () => {
    const queries = Array.from({ length: 60 }, (_, n) =>
      db.query<{ n: number }>('select $1::int as n', [n], 'n'),
    );
    expect((await Promise.all(queries)).map(({ rows }) => rows[0]!.n)).toEqual(queries.map((_, n) => n));
  });

  it('an error is reported, and the next statement works', async () => {
    await expect(db.query('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
    await expect(db.query('select 1/0')).rejects.toMatchObject({ code: '22012' });
    expect(await one(db, 'select $1::int as n', [1])).toEqual({ n: 1 });
  });

  it('rows and counts are those of the statement, not of the settings', async () => {
    const inserted = await db.query(
      'insert into setting (tenant, name, value) select $1, n, $2 from generate_series(1, 3) n',
      ['pooled', 'x'],
    );
    expect(inserted).toMatchObject({ rows: [], rowCount: 3 });
    expect((await db.query('delete from setting where tenant = $1', ['pooled'])).rowCount).toBe(3);
  });

  it('a statement that no transaction may hold is run on its own', async () => {
    await db.query('create table public.big (id int)');
    await db.query('create index concurrently big_id on public.big (id)');
    await db.query('drop index concurrently public.big_id');
    await db.query('vacuum public.big');
  });

  it('a statement that the server is seen to run is not given up, however long it takes', async () => {
    const hasty = await openDatabase({ databaseUrl: bouncer.url, max: 1, probeAfterMs: 500, pooledMs: 600 });
    expect(await one(hasty, 'select $1::int as n from pg_sleep(3)', [1])).toEqual({ n: 1 });
    await hasty.close();
  });

  it('a statement that is never executed finally fails', async () => {
    const hasty = await openDatabase({ databaseUrl: bouncer.url, max: 1, probeAfterMs: 500, pooledMs: 600 });
    await hasty.query('select 1');
    // All sessions of the pooler are in use: the statement waits in its queue.
    const held = Promise.withResolvers<void>();
    const others = [1, 2].map(() =>
      db.tx(async (tx) => {
        await tx.query('select 1');
        await held.promise;
      }),
    );
    await expect(hasty.query('select 2')).rejects.toMatchObject({ kind: 'unavailable', retry: true });
    held.resolve();
    await Promise.all(others);
    await hasty.close();
  });

  it('nothing is received without a direct connection, and everything with one', async () => {
    const stop = await db.listen('news', () => expect.unreachable());
    await stop();
    const options = { databaseUrl: bouncer.url, directUrl: direct.url, max: 1 };
    const both = await openDatabase(options);
    const received = Promise.withResolvers<string>();
    const stopListening = await both.listen('news', received.resolve);
    await both.query(`notify news, 'hello'`);
    expect(await received.promise).toBe('hello');
    await stopListening();
    await both.close();
  });

  it('more processes than sessions can set up their jobs at once', async () => {
    const trouble = { onError: () => {}, onDeadLetter: async () => {} };
    const start = async () => {
      const own = await openDatabase({ databaseUrl: bouncer.url, max: 2 });
      const jobs = await startJobs(own, { one: async () => {}, two: null }, trouble);
      await jobs.stop();
      await own.close();
    };
    await Promise.all(Array.from({ length: 6 }, start));
  });
});

describe.skipIf(missing)('a PgBouncer that refuses the options of DATABASE_URL itself', () => {
  it('is explained with what to do', async () => {
    const direct = await freshDatabase(1);
    const bouncer = await startPgBouncer(direct.url);
    const url = `${bouncer.url}?options=-c%20statement_timeout%3D1234`;
    const db = await openDatabase({ databaseUrl: url, max: 1 });
    await expect(db.query('select 1')).rejects.toMatchObject({
      kind: 'usage',
      hint: expect.stringContaining('ignore_startup_parameters = options'),
    });
    await db.close();
    await bouncer.stop();
    await direct.close();
  });
});
