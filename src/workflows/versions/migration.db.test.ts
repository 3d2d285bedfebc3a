/** What becomes of workflows that are there when a database learns of versions. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase, hasLockWaiter } from '../../../test/support/database.ts';
import { type Database, many } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';

const MIGRATIONS = join(import.meta.dirname, '../../db/migrations');
const FIRST = '0027_workflow_versions.sql';
let db: Database;
let folder: string;
beforeAll(async () => {
  db = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'seine-migrations-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await db.close();
});

/** As the version before left it: workflows with events of several versions. */
async function migrateBefore(): Promise<void> {
  for (const file of readdirSync(MIGRATIONS).filter((name) => name < FIRST))
    cpSync(join(MIGRATIONS, file), join(folder, file));
  await db.query('drop schema seine cascade');
  await migrate(db, { folder });
  await db.query(
    `insert into workflow (tenant, name, id, hash, version)
     select 'default', 'order', id, 1, 3 from unnest(array['new', 'mixed', 'old', 'empty']) as w(id)`,
  );
  await db.query(
    `insert into event (workflow_key, version, workflow, slot, hash, type, schema, data)
     select key, n, 'order', 1, 1, 'placed', case id when 'new' then 2 when 'mixed' then 4 - n else 1 end, '{}'
     from workflow, generate_series(1, 3) as n where id <> 'empty'`,
  );
}

it('they need the highest version among their events, and others read and write meanwhile', async () => {
  await migrateBefore();
  await db.query(
    `create function seine.pause() returns trigger language plpgsql as $$
     begin perform pg_advisory_xact_lock(1); return new; end $$`,
  );
  await db.query(
    `create trigger pause before update on seine.workflow for each row when (old.id = 'mixed') execute function seine.pause()`,
  );
  const migrating = await db.tx(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(1)');
    const migrated = migrate(db);
    await hasLockWaiter(db);
    await tx.query(`set local lock_timeout = '1s'`);
    await tx.query(`update seine.workflow set status = 'paused' where id = 'old'`);
    return { migrated };
  });
  expect(await migrating.migrated).toContain(27);
  expect(
    await many(db, 'select id, needs_version as needs, status from seine.workflow order by key'),
  ).toEqual([
    { id: 'new', needs: 2, status: 'running' },
    { id: 'mixed', needs: 3, status: 'running' },
    { id: 'old', needs: 1, status: 'paused' },
    { id: 'empty', needs: 1, status: 'running' },
  ]);
});
