import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { waitUntil } from '../../test/support/wait-for.ts';
import { SeineError } from '../base/errors.ts';
import { type Database, many } from './database.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './pool.ts';

let db: Database & { url: string };
let folder: string;
beforeEach(async () => {
  db = await freshDatabase(4);
  await db.query('drop schema if exists seine cascade');
  folder = mkdtempSync(join(tmpdir(), 'seine-migrations-'));
  put('0001_first.sql', 'create table thing (n int); insert into thing values (1);');
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

function put(name: string, sql: string): void {
  writeFileSync(join(folder, name), sql);
}

async function isTaken(other: Database, table: string): Promise<boolean> {
  const held = `select from pg_locks where relation = $1::regclass and mode = 'AccessExclusiveLock' and granted`;
  return (await many(other, held, [table])).length > 0;
}

describe('migrate', () => {
  it('applies what is missing, in order, in the schema seine', async () => {
    put('0002_second.sql', 'update thing set n = n + 10;');
    expect(await migrate(db, { folder })).toEqual([1, 2]);
    expect(await many(db, 'select n from seine.thing')).toEqual([{ n: 11 }]);
  });

  it('does nothing the second time', async () => {
    await migrate(db, { folder });
    expect(await migrate(db, { folder })).toEqual([]);
    put('0002_second.sql', 'update thing set n = n + 10;');
    expect(await migrate(db, { folder })).toEqual([2]);
  });

  it('applies each file once when several processes start together', async () => {
    put('0002_second.sql', 'update thing set n = n + 10;');
    for (let round = 0; round < 20; round++) {
      await db.query('drop schema if exists seine cascade');
      const applied = await Promise.all([
        migrate(db, { folder }),
        migrate(db, { folder }),
        migrate(db, { folder }),
      ]);
      expect(applied.flat().sort()).toEqual([1, 2]);
      // With its schema: an older connection does not always find it by the search path (see
      // open-migrated.ts).
      expect(await many(db, 'select n from seine.thing')).toEqual([{ n: 11 }]);
    }
  });

  it('yields to a transaction that locks the tables in another order, and is retried', async () => {
    put('0002_other.sql', 'create table other ();');
    await migrate(db, { folder });
    put('0003_both.sql', 'alter table thing add a int; alter table other add b int;');
    const applied = await db.tx(async (tx) => {
      await tx.query(`set local deadlock_timeout = '30s'`); // so that this transaction is never the victim
      await tx.query('select from other');
      const migrating = migrate(db, { folder });
      await waitUntil('the lock on the table', async () => await isTaken(db, 'thing'));
      await tx.query('select from thing');
      return { migrating };
    });
    expect(await applied.migrating).toEqual([3]);
  });

  it('leaves nothing of a file that fails, and keeps those before it', async () => {
    put('0002_broken.sql', 'insert into thing values (2); select nonsense;');
    await expect(migrate(db, { folder })).rejects.toMatchObject({ code: '42703' });
    expect(await many(db, 'select n from seine.thing')).toEqual([{ n: 1 }]);
    put('0002_broken.sql', 'insert into thing values (2);');
    expect(await migrate(db, { folder })).toEqual([2]);
  });

  it('refuses a file that was changed after it was applied', async () => {
    await migrate(db, { folder });
    put('0001_first.sql', 'create table thing (n bigint);');
    await expect(migrate(db, { folder })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringMatching(/Migration 1 .* changed/),
    });
  });

  it('does not mind other line ends', async () => {
    put('0001_first.sql', 'create table thing\n(n int);\n');
    await migrate(db, { folder });
    put('0001_first.sql', 'create table thing\r\n(n int);\r\n');
    expect(await migrate(db, { folder })).toEqual([]);
  });

  it('refuses a database that is newer than the code', async () => {
    put('0002_future.sql', 'create table future ();');
    await migrate(db, { folder });
    rmSync(join(folder, '0002_future.sql'));
    await expect(migrate(db, { folder })).rejects.toMatchObject({
      kind: 'conflict',
      hint: expect.stringContaining('Update Seine'),
    });
  });

  it('does not block others while it waits for a long transaction, reports it, and continues after it', async () => {
    await migrate(db, { folder });
    put('0002_column.sql', 'alter table seine.thing add more int;');
    const said: string[] = [];
    const reported = Promise.withResolvers<void>();
    const onWait = (message: string) => {
      said.push(message);
      reported.resolve();
    };
    const migrating = await db.tx(async (tx) => {
      await tx.query('select from seine.thing'); // a long-running reader
      const applied = migrate(db, { folder, onWait });
      await reported.promise;
      // Behind a statement that waits for its lock without a timeout, this one would wait, too.
      expect(await many(db, 'select n from seine.thing')).toEqual([{ n: 1 }]);
      return { applied };
    });
    expect(await migrating.applied).toEqual([2]);
    expect(said).toEqual([expect.stringMatching(/^Migration 2 \(column\) waits for other transactions/)]);
  });

  it('fails after its timeout with a retryable error', async () => {
    await migrate(db, { folder });
    put('0002_column.sql', 'alter table seine.thing add more int;');
    await db.tx(async (tx) => {
      await tx.query('select from seine.thing');
      await expect(migrate(db, { folder, conflictTimeoutMs: 1 })).rejects.toMatchObject({
        kind: 'conflict',
        retry: true,
      });
    });
  });
});

/** The same database with connections that have this setting, as if set for the role or the database. */
async function having<T>(setting: string, work: (other: Database) => Promise<T>): Promise<T> {
  const options = encodeURIComponent(`-c ${setting}`);
  const other = await openDatabase({ databaseUrl: `${db.url}&options=${options}`, max: 2 });
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}

describe('a migration of a database that', () => {
  it('is read-only fails at once, with a hint', async () => {
    await having('default_transaction_read_only=on', (other) =>
      expect(migrate(other, { folder })).rejects.toMatchObject({
        kind: 'unavailable',
        retry: false,
        message: 'The database is read-only, and its schema must be brought up to date first.',
      }),
    );
  });

  it('is read-only is not needed when nothing is missing', async () => {
    await migrate(db, { folder });
    await having('default_transaction_read_only=on', async (other) =>
      expect(await migrate(other, { folder })).toEqual([]),
    );
  });

  it('cannot be reached fails soon, and is reported meanwhile', async () => {
    const said: string[] = [];
    const gone: Database = {
      ...db,
      tx: () => Promise.reject(new SeineError('unavailable', 'The database cannot be reached.')),
    };
    const options = { folder, onWait: (message: string) => said.push(message), outageTimeoutMs: 1 };
    await expect(migrate(gone, options)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(said).toEqual(['The database cannot be reached. Trying again.']);
  });

  it('limits how long statements take is not limited by that', async () => {
    put('0002_slow.sql', 'select pg_sleep(1);');
    await having('statement_timeout=500', async (other) =>
      expect(await migrate(other, { folder })).toEqual([1, 2]),
    );
  });

  it('cancels a statement reports it, and does not retry it', async () => {
    put('0002_limited.sql', 'set local statement_timeout = 50; select pg_sleep(60);');
    await expect(migrate(db, { folder, conflictTimeoutMs: 3_600_000 })).rejects.toMatchObject({
      message: 'The database cancelled a statement.',
    });
  });
});

describe('a migration outside of a transaction', () => {
  const outside = (sql: string) => put('0002_index.sql', `-- outside a transaction\n${sql}`);
  const valid = () =>
    many(
      db,
      `select indexrelid::regclass::text as index, indisvalid as valid from pg_index
              where indrelid = 'seine.thing'::regclass`,
    );

  it('builds its index while others write, once, however many processes start', async () => {
    await migrate(db, { folder });
    outside('create index concurrently if not exists thing_n on seine.thing (n); -- by number\n');
    const applied = await Promise.all([migrate(db, { folder }), migrate(db, { folder })]);
    expect(applied.flat()).toEqual([2]);
    expect(await valid()).toEqual([{ index: expect.stringContaining('thing_n'), valid: true }]);
  });

  it('may take longer than statements usually may', async () => {
    await migrate(db, { folder });
    await db.query(
      `create function public.slow(n int) returns int language plpgsql immutable as $$ begin perform pg_sleep(1); return n; end $$`,
    );
    outside('create index concurrently if not exists thing_n on seine.thing (public.slow(n));');
    await having('statement_timeout=500', async (other) => {
      expect(await migrate(other, { folder })).toEqual([2]);
      await expect(other.query('select pg_sleep(60)')).rejects.toMatchObject({ kind: 'conflict' });
    });
    expect(await valid()).toEqual([{ index: expect.stringContaining('thing_n'), valid: true }]);
  });

  it('replaces an index that an earlier try left invalid', async () => {
    await migrate(db, { folder });
    await db.query('insert into seine.thing values (1)'); // a duplicate: building a unique index fails and leaves it invalid
    const unique = 'create unique index concurrently if not exists thing_n on seine.thing (n);';
    outside(unique);
    await expect(migrate(db, { folder })).rejects.toMatchObject({ code: '23505' });
    expect(await valid()).toEqual([{ index: expect.stringContaining('thing_n'), valid: false }]);
    await db.query('truncate seine.thing');
    expect(await migrate(db, { folder })).toEqual([2]);
    expect(await valid()).toEqual([{ index: expect.stringContaining('thing_n'), valid: true }]);
  });

  it('changes rows in batches, each in a transaction of its own, also where statements are limited', async () => {
    await migrate(db, { folder });
    await db.query('insert into seine.thing select generate_series(2, 3)');
    outside(`do $$ begin
        for one in 1..3 loop
          update seine.thing set n = 10 where n = one;
          perform pg_sleep(0.3); -- all of them take longer than one statement may
          commit;
          if one = 2 then raise exception 'broken off'; end if;
        end loop;
      end $$;
      create index concurrently if not exists thing_n on seine.thing (n);`);
    await having('statement_timeout=500', (other) =>
      expect(migrate(other, { folder })).rejects.toThrow('broken off'),
    );
    expect(await many(db, 'select n from seine.thing order by n')).toEqual([{ n: 3 }, { n: 10 }, { n: 10 }]);
  });

  it('may hold nothing that could not be repeated', async () => {
    await migrate(db, { folder });
    outside('insert into seine.thing values (2);');
    await expect(migrate(db, { folder })).rejects.toThrow(/may not be run outside of a transaction/);
    outside('do $$ begin insert into seine.thing values (2); end $$;');
    await expect(migrate(db, { folder })).rejects.toThrow(/may not be run outside of a transaction/);
    outside('create index concurrently thing_n on seine.thing (n);');
    await expect(migrate(db, { folder })).rejects.toThrow(/may not be run outside of a transaction/);
  });
});
