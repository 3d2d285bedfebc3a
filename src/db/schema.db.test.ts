import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSchema, SCHEMA_FILE } from '../../scripts/read-schema.ts';
import { freshDatabase } from '../../test/support/database.ts';
import { type Database, many } from './database.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

/**
 * Foreign keys whose columns are not a prefix of an index. A partial index counts if it covers the rows
 * that have a reference. The columns may be in any order within the prefix.
 */
const WITHOUT_INDEX = `
  select conrelid::regclass::text as table, conname as name
  from pg_constraint
  where contype = 'f' and connamespace = 'seine'::regnamespace
    and not exists (
      select from pg_index
      where indrelid = conrelid and indisvalid
        and (indpred is null or pg_get_expr(indpred, indrelid) = '(' || (
              select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1]) || ' IS NOT NULL)')
        and (indkey::int2[])[0:cardinality(conkey) - 1] @> conkey)
  order by 1, 2`;

describe('the schema', () => {
  it('is the one in schema.sql; if not: npm run schema', async () => {
    expect(await readSchema(db)).toBe(readFileSync(SCHEMA_FILE, 'utf8'));
  });

  it('has an index for every foreign key, so that no delete reads a whole table for each row', async () => {
    expect(await many(db, WITHOUT_INDEX)).toEqual([]);
  });

  it('would show a foreign key without one', async () => {
    await db.query('create table seine.careless (id bigint, group_id bigint references seine.lease_group)');
    await db.query('create index on seine.careless (id, group_id)');
    expect(await many(db, WITHOUT_INDEX)).toEqual([{ table: 'careless', name: 'careless_group_id_fkey' }]);
    await db.query('create index on seine.careless (group_id) where group_id is not null');
    expect(await many(db, WITHOUT_INDEX)).toEqual([]);
    await db.query('drop table seine.careless');
  });
});

describe('a checkpoint', () => {
  it('updates no index of its lease (HOT): the changed columns are in none', async () => {
    const changed = [
      'cursor',
      'reserved_up_to',
      'checkpoint_seq',
      'claims_since_progress',
      'errors_since_progress',
      'cursor_moved_at',
      'expires_at',
    ];
    const indexed = await many(
      db,
      `select indexrelid::regclass::text as index, attname as column
       from pg_index join pg_attribute on attrelid = indexrelid
       where indrelid = 'seine.range_lease'::regclass and attname = any($1)`,
      [changed],
    );
    expect(indexed).toEqual([]);
  });
});
