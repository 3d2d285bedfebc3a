/** Statements of the previous version on the schema of this one, and rows that it has left. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { type Database, many, one } from './database.ts';
import { migrate } from './migrate.ts';

const MIGRATIONS = join(import.meta.dirname, 'migrations');
const FIRST = '0033';
const READER = 'seine_test_reader';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(3);
  await db.query('drop schema seine cascade');
  const folder = mkdtempSync(join(tmpdir(), 'seine-migrations-'));
  try {
    for (const file of readdirSync(MIGRATIONS).filter((name) => name < FIRST))
      copyFileSync(join(MIGRATIONS, file), join(folder, file));
    await migrate(db, { folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
  await db.query(`do $$ begin
    create role ${READER};
  exception when duplicate_object or unique_violation then null; end $$`);
  await db.query(`grant usage on schema seine to ${READER}`);
  await db.query(`grant select, insert, update, delete on all tables in schema seine to ${READER}`);
  await insertScan(1, null);
  await insertScan(2, 1);
  await db.query(`
    insert into worker (id, host, pid, hands, sees_place) values ('00000000-0000-4000-8000-000000000001', 'h', 1, 4, 'h/1');
    insert into ledger (scan_id, tenant, lease_id, outcome, reason, objects, bytes) values
      (1, 't', 1, 'skipped', 'no permission', 2, 20), (1, 't', 1, 'skipped', 'no-permission', 1, 10), (1, 't', 1, 'scanned', '', 5, 50);
    insert into object (scan_id, tenant, key, path, folder, outcome, reason, size, levels)
      values (1, 't', 'a', 'a', '', 'partial', 'document reader ended (139)', 1, '{"IBAN": {"95": 1}}'), (1, 't', 'b', 'b', '', 'partial', 'out of tape', 1, null);
    insert into dead_letter (tenant, scan_id, kind, path, signature, reason) values
      ('t', 1, 'object', 'a', 'could not be read', 'could not be read'), ('t', 1, 'object', 'b', 'out of tape', 'out of tape'),
      ('t', 1, 'job', 'webhook', 'The receiver wants no more deliveries (#).', 'The receiver wants no more deliveries (410).');`);
  await migrate(db);
});
afterAll(() => db.close());

async function insertScan(id: number, base: number | null): Promise<void> {
  await db.query(
    `insert into work (id, tenant, kind, place, cap, remaining) overriding system value values ($1, 't', 'shard', 'h/1', 3, 1)`,
    [id],
  );
  await db.query(
    `insert into scan (id, tenant, source, target, scope, scope_hash, rules, rules_hash, keep_each, inventory_key, base_scan, round, status)
     values ($1, 't', 'fs:/a', '/a', '{}', '', '{}', '', 10, '', $2, 2, 'running')`,
    [id, base],
  );
}

describe('rows of the previous version', () => {
  it('have the renamed columns', async () => {
    expect(await one(db, 'select * from scan where id = 2')).toMatchObject({
      parent_scan: 1,
      reopen_count: 2,
      max_findings_per_type: 10,
      active_seconds: 0,
      heartbeat_at: expect.any(Date),
    });
    expect(await one(db, 'select concurrency, host_affinity from worker')).toEqual({
      concurrency: 4,
      host_affinity: 'h/1',
    });
    expect(await one(db, 'select host_affinity, max_concurrency from lease_group where id = 2')).toEqual({
      host_affinity: 'h/1',
      max_concurrency: 3,
    });
    expect(await one(db, `select confidence_histogram as h from object_result where path = 'a'`)).toEqual({
      h: { IBAN: { 95: 1 } },
    });
  });

  it('have codes for known reasons, and their text for others', async () => {
    expect(
      await many(db, 'select reason, objects, bytes from ledger where scan_id = 1 order by reason'),
    ).toEqual([
      { reason: '', objects: 5, bytes: 50 },
      { reason: 'no-permission', objects: 3, bytes: 30 },
    ]);
    expect(await many(db, 'select reason from object_result order by path')).toEqual([
      { reason: 'reader-exited: 139' },
      { reason: 'out of tape' },
    ]);
    expect(await many(db, 'select reason, signature from dead_letter order by id')).toEqual([
      { reason: 'read-failed', signature: 'read-failed' },
      { reason: 'out of tape', signature: 'out of tape' },
      { reason: 'receiver-gone', signature: 'receiver-gone' },
    ]);
  });
});

describe('a role with rights to the tables of the previous version', () => {
  it('has the same rights to all tables and views', async () => {
    const without = await many(
      db,
      `select relname from pg_class
       where relnamespace = 'seine'::regnamespace and relkind in ('r', 'v', 'p')
         and not (has_table_privilege($1, oid, 'select') and has_table_privilege($1, oid, 'insert')
                  and has_table_privilege($1, oid, 'update') and has_table_privilege($1, oid, 'delete'))`,
      [READER],
    );
    expect(without).toEqual([]);
  });
});

describe('a statement of the previous version', () => {
  it('inserts, claims, checkpoints and skips locked leases', async () => {
    const { id } = await one<{ id: number }>(
      db,
      `insert into lease (tenant, work_id, after_key, cursor, reserved) values ('t', 1, '', '', '') returning id`,
    );
    await db.tx(async (tx) => {
      await tx.query('select from range_lease where id = $1 for update', [id]);
      const next = await many(db, `select id from lease where work_id = 1 for update skip locked`);
      expect(next).toEqual([]);
    });
    const [claimed] = await many(
      db,
      `with next as (select lease.id from lease where work_id = 1 and state = 'waiting' for update of lease skip locked)
       update lease set state = 'held', token = token + 1, attempts = attempts + 1 from next where lease.id = next.id
       returning lease.*`,
    );
    expect(claimed).toMatchObject({ id, work_id: 1, token: 1, step: 0, attempts: 1 });
    const checkpoint = `update lease set cursor = 'k', reserved = 'm', step = step + 1 where id = $1 and token = $2 and step = 0 returning step`;
    expect(await many(db, checkpoint, [id, 0])).toEqual([]);
    expect(await many(db, checkpoint, [id, 1])).toEqual([{ step: 1 }]);
    expect(
      await one(db, 'select fencing_token, checkpoint_seq, reserved_up_to from range_lease where id = $1', [
        id,
      ]),
    ).toEqual({ fencing_token: 1, checkpoint_seq: 1, reserved_up_to: Buffer.from('m') });
  });

  it('updates on conflict, and deletes by ctid', async () => {
    const upsert = `insert into bucket (quota, free_at, rate, cut_at, paused_until) values ('q', clock(), $1, clock(), clock())
      on conflict (quota) do update set rate = bucket.rate + excluded.rate`;
    await db.query(upsert, [1]);
    await db.query(upsert, [2]);
    expect(await one(db, 'select rate from token_bucket')).toEqual({ rate: 3 });
    await db.query(
      `insert into inventory (scan_id, tenant, up_to, entries, faint) values (1, 't', 'z', '', null)`,
    );
    await db.query(
      'delete from inventory where ctid = any(array(select ctid from inventory where scan_id = 1 limit 5))',
    );
    expect(await many(db, 'select from inventory_block')).toEqual([]);
  });

  it('and one of this version see what the other has written', async () => {
    await db.query('update scan set round = round + 1, base_scan = null where id = 2');
    expect(await one(db, 'select reopen_count, parent_scan from scan where id = 2')).toEqual({
      reopen_count: 3,
      parent_scan: null,
    });
    await db.query('update scan set reopen_count = reopen_count + 1, parent_scan = 1 where id = 2');
    expect(await one(db, 'select round, base_scan from scan where id = 2')).toEqual({
      round: 4,
      base_scan: 1,
    });
    await db.query('update worker set refused = refused + 1');
    await db.query('update worker set fenced_writes = fenced_writes + 1');
    expect(await one(db, 'select refused, fenced_writes from worker')).toEqual({
      refused: 2,
      fenced_writes: 2,
    });
  });

  it('does not complete a scan with objects that were left out by an error', async () => {
    await db.query(`update scan set status = 'finalizing' where id in (1, 2)`);
    await db.query(`update scan set status = 'completed' where id in (1, 2)`);
    expect(await many(db, 'select status from scan order by id')).toEqual([
      { status: 'incomplete' },
      { status: 'completed' },
    ]);
  });
});
