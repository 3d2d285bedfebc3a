/** What becomes of workflows that are there when a database learns of versions. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';

const MIGRATIONS = join(import.meta.dirname, '../../db/migrations');
const THIS = '0027_workflow_versions.sql';
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

it('they need the highest version among their events', async () => {
  for (const file of readdirSync(MIGRATIONS).filter((name) => name < THIS))
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
  cpSync(join(MIGRATIONS, THIS), join(folder, THIS));
  expect(await migrate(db, { folder })).toEqual([27]);
  expect(await many(db, 'select id, needs_version as needs from workflow order by key')).toEqual([
    { id: 'new', needs: 2 },
    { id: 'mixed', needs: 3 },
    { id: 'old', needs: 1 },
    { id: 'empty', needs: 1 },
  ]);
});
