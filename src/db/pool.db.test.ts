import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { SeineError } from '../base/errors.ts';
import { type Database, many, maybeOne, one } from './database.ts';
import { openDatabase } from './pool.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase(2);
  await db.query('create table public.note (id int primary key, text text)');
});
afterAll(() => db.close());

describe('a transaction', () => {
  it('keeps what was done when its work resolves', async () => {
    await db.tx((tx) => tx.query(`insert into note values (1, 'kept')`));
    expect(await many(db, 'select text from note where id = 1')).toEqual([{ text: 'kept' }]);
  });

  it('leaves nothing when its work throws, and passes the error on untouched', async () => {
    const thrown = Object.assign(new Error('a file is missing'), { code: 'ENOENT' });
    const work = db.tx(async (tx) => {
      await tx.query(`insert into note values (2, 'lost')`);
      throw thrown;
    });
    await expect(work).rejects.toBe(thrown);
    expect(await maybeOne(db, 'select * from note where id = 2')).toBeNull();
  });

  it('is not called committed when a failed statement was swallowed', async () => {
    const work = db.tx(async (tx) => {
      await tx.query('select 1/0').catch(() => {});
    });
    await expect(work).rejects.toMatchObject({ kind: 'internal' });
  });

  it('gives its connection back after a failure', async () => {
    for (let i = 0; i < 5; i++)
      await expect(db.tx((tx) => tx.query('select 1/0'))).rejects.toMatchObject({ code: '22012' });
    expect(await one(db, 'select 1 as n')).toEqual({ n: 1 });
  });
});

describe('values', () => {
  it('come as numbers, buffers and dates', async () => {
    const row = await one<Record<string, unknown>>(
      db,
      `select 9007199254740991::int8 as big, 1.5::numeric as part, sum(x) as total, '\\xff00'::bytea as bytes,
              array[1,null,3]::int8[] as list, '{}'::int8[] as none, now() as at
       from (values (2::int8), (3)) v(x)`,
    );
    expect(row).toMatchObject({ big: 9007199254740991, part: 1.5, total: 5, list: [1, null, 3], none: [] });
    expect(row.bytes).toEqual(Buffer.from([255, 0]));
    expect(row.at).toBeInstanceOf(Date);
  });

  it('that do not fit a number are an error, not a rounded number', async () => {
    await expect(db.query('select 9007199254740993::int8')).rejects.toThrow(/too large/);
    expect(await one(db, 'select 1 as n')).toEqual({ n: 1 });
  });

  it('are found in the schema seine without naming it', async () => {
    expect(await one(db, 'show search_path')).toEqual({ search_path: 'seine,public' });
    const timed = await openDatabase({
      databaseUrl: `${db.url}&options=-c%20statement_timeout%3D1234`,
      max: 1,
    });
    expect(await one(timed, 'show search_path')).toEqual({ search_path: 'seine,public' });
    expect(await one(timed, 'show statement_timeout')).toEqual({ statement_timeout: '1234ms' });
    await timed.close();
  });
});

describe('a database that cannot be used reports the reason', () => {
  async function failure(databaseUrl: string): Promise<SeineError> {
    const other = await openDatabase({ databaseUrl, max: 1 });
    const error = await other.query('select 1').then(
      () => null,
      (e: unknown) => e,
    );
    await other.close();
    expect(error).toBeInstanceOf(SeineError);
    return error as SeineError;
  }

  it('when the connection is refused', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    expect(await failure(`postgres://me:secret@127.0.0.1:${port}/x`)).toMatchObject({
      kind: 'unavailable',
      retry: true,
    });
  });

  it('when the password is wrong, without repeating it', async () => {
    const error = await failure(db.url.replace(/seine:[0-9a-f]+@/, 'seine:wrongword@'));
    expect(error.kind).toBe('permission');
    expect(`${error.message} ${error.hint}`).not.toContain('wrongword');
  });

  it('when there is no such database', async () => {
    expect(await failure(db.url.replace('/test_', '/gone_'))).toMatchObject({ kind: 'not-found' });
  });
});

describe('a connection ended by the server', () => {
  const endOthers = `select pg_terminate_backend(pid) from pg_stat_activity
                     where datname = current_database() and pid <> pg_backend_pid() and application_name = 'seine'`;

  it('does not end the process while idle, and the next query works', async () => {
    await Promise.all([db.query('select pg_sleep(0.01)'), db.query('select pg_sleep(0.01)')]);
    await db.query(endOthers);
    expect(await one(db, 'select 1 as n')).toEqual({ n: 1 });
  });

  it('fails a transaction between two statements with an error that may be retried', async () => {
    const other = await openDatabase({ databaseUrl: db.url, max: 1 });
    const work = other.tx(async (tx) => {
      await tx.query('select 1');
      await db.query(endOthers);
      await tx.query('select 1');
    });
    await expect(work).rejects.toMatchObject({ kind: 'unavailable', retry: true });
    expect(await one(other, 'select 1 as n')).toEqual({ n: 1 });
    await other.close();
  });

  it('does not stop a listener: it reconnects and requests a poll', async () => {
    const received: string[] = [];
    let wake = () => {};
    const stop = await db.listen('news', (payload) => {
      received.push(payload);
      wake();
    });
    const next = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    let waiting = next();
    await db.query(`notify news, 'one'`);
    await waiting;
    waiting = next();
    await db.query(endOthers);
    await waiting;
    waiting = next();
    await db.query(`notify news, 'two'`);
    await waiting;
    await stop();
    expect(received).toEqual(['one', '', 'two']);
  });
});

describe('a connection that prefers indexes', () => {
  it('of a suspended process is closed by the server, which releases its locks', async () => {
    const still = await openDatabase({ databaseUrl: db.url, max: 1, endStandstillMs: 50 });
    await db.query(`insert into note values (70, 'locked')`);
    const standing = still.tx(async (tx) => {
      await tx.query('select from note where id = 70 for update');
      await db.query('select from note where id = 70 for update'); // waits until the locks are released
      await tx.query('select 1');
    });
    await expect(standing).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await one(still, 'select 1 as n')).toEqual({ n: 1 });
    await still.close();
  });

  it('uses them even for an empty table, and finds our schema as any other', async () => {
    const plain = await openDatabase({ databaseUrl: db.url, max: 1 });
    const byIndex = await openDatabase({ databaseUrl: db.url, max: 1, preferIndexes: true });
    const plan = async (of: Database) =>
      JSON.stringify(await many(of, 'explain select * from public.note where id > 0'));
    expect(await plan(byIndex)).toMatch(/Index/);
    expect(await one(byIndex, 'show search_path')).toEqual(await one(plain, 'show search_path'));
    await plain.close();
    await byIndex.close();
  });
});
