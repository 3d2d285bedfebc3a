import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { type Database, many } from './database.ts';
import { migrate } from './migrate.ts';

let db: Database;
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
      // By its schema: a connection that is older than it does not always find it by the search path (see open-migrated.ts).
      expect(await many(db, 'select n from seine.thing')).toEqual([{ n: 11 }]);
    }
  });

  it('yields to somebody who works on the tables in another order, and tries again', async () => {
    put('0002_other.sql', 'create table other ();');
    await migrate(db, { folder });
    put('0003_both.sql', 'alter table thing add a int; alter table other add b int;');
    const applied = await db.tx(async (tx) => {
      await tx.query(`set local deadlock_timeout = '30s'`); // so that it is never us who yield
      await tx.query('select from other');
      const migrating = migrate(db, { folder });
      while (!(await isTaken(db, 'thing'))) await sleep(10);
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

  it('lets others pass while it waits for a long transaction, says so, and goes on after it', async () => {
    await migrate(db, { folder });
    put('0002_column.sql', 'alter table seine.thing add more int;');
    const said: string[] = [];
    const told = Promise.withResolvers<void>();
    const onWait = (message: string) => {
      said.push(message);
      told.resolve();
    };
    const migrating = await db.tx(async (tx) => {
      await tx.query('select from seine.thing'); // a reader that takes its time
      const applied = migrate(db, { folder, onWait });
      await told.promise;
      // Behind a statement that waits for its lock without an end, this one would wait, too.
      expect(await many(db, 'select n from seine.thing')).toEqual([{ n: 1 }]);
      return { applied };
    });
    expect(await migrating.applied).toEqual([2]);
    expect(said).toEqual([expect.stringMatching(/^Migration 2 \(column\) waits for transactions of others/)]);
  });

  it('gives up after its patience with an error that may be retried', async () => {
    await migrate(db, { folder });
    put('0002_column.sql', 'alter table seine.thing add more int;');
    await db.tx(async (tx) => {
      await tx.query('select from seine.thing');
      await expect(migrate(db, { folder, patienceMs: 1 })).rejects.toMatchObject({
        kind: 'conflict',
        retry: true,
      });
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

  it('replaces an index that an earlier try left invalid', async () => {
    await migrate(db, { folder });
    await db.query('insert into seine.thing values (1)'); // twice the same: a unique index fails and stays, invalid
    const unique = 'create unique index concurrently if not exists thing_n on seine.thing (n);';
    outside(unique);
    await expect(migrate(db, { folder })).rejects.toMatchObject({ code: '23505' });
    expect(await valid()).toEqual([{ index: expect.stringContaining('thing_n'), valid: false }]);
    await db.query('truncate seine.thing');
    expect(await migrate(db, { folder })).toEqual([2]);
    expect(await valid()).toEqual([{ index: expect.stringContaining('thing_n'), valid: true }]);
  });

  it('may hold nothing that could not be repeated', async () => {
    await migrate(db, { folder });
    outside('insert into seine.thing values (2);');
    await expect(migrate(db, { folder })).rejects.toThrow(/may not be run outside of a transaction/);
    outside('create index concurrently thing_n on seine.thing (n);');
    await expect(migrate(db, { folder })).rejects.toThrow(/may not be run outside of a transaction/);
  });
});
