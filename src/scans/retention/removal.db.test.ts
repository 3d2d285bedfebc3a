import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { type Database, many, one, type Tx } from '../../db/database.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { groupLetters, listLetters, markRetrying } from '../dead-letters/letter-store.ts';
import { findBase, readScan } from '../lifecycle/scan-store.ts';
import { listScanOverviews } from '../results/scan-overviews.ts';
import { applyRetention } from './apply-retention.ts';
import { detachOldScan, removeDetached } from './removal-store.ts';
import { markSuperseded } from './superseded-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const DAY = 86_400_000;
const OLD = { finishedScansMs: 90 * DAY, endedLeasesMs: null };
let source: ReturnType<typeof createMemorySource>;
let old: number;
let newer: number;
beforeEach(async () => {
  await db.query('delete from lease_group where id > 0');
  await repeatWhile('removal of detached rows', () => db.tx(removeDetached));
  source = createMemorySource({}, { id: `memory:${randomUUID()}` });
  old = await plannedScan(db, source);
  newer = await plannedScan(db, source);
  for (const scan of [old, newer]) {
    await fill(scan, 7_000);
    await db.query(
      `update scan set status = 'completed', finished_at = now() - interval '100 days' where id = $1`,
      [scan],
    );
  }
});

/** Inserts rows in every table that can have very many for a scan. */
async function fill(scan: number, n: number): Promise<void> {
  const [lease] = await many<{ id: number }>(db, 'select id from range_lease where group_id = $1', [scan]);
  const [history] = await many<{ key: number }>(db, 'select key from workflow where id = $1', [String(scan)]);
  await db.query(
    `with objects as (
       insert into object_result (scan_id, tenant, key, path, folder, outcome, size)
       select $1, 'default', convert_to('key ' || i, 'UTF8'), 'key', '', 'scanned', 1 from generate_series(1, $2) i returning id)
     insert into finding (object_id, n, tenant, detector, category, start_byte, end_byte, line, col, confidence, masked, fingerprint, reasons)
     select id, n, 'default', 'EMAIL', 'contact', 0, 1, 1, 1, 1, '', '', '{}' from objects, generate_series(0, 2) n`,
    [scan, n],
  );
  await db.query(
    `insert into ledger (scan_id, tenant, lease_id, outcome, objects, bytes)
     select $1, 'default', -i, 'scanned', 1, 1 from generate_series(1, 2 * $2::integer) i`,
    [scan, n],
  );
  await db.query(
    `insert into dead_letter (tenant, scan_id, kind, path, signature, reason)
     select 'default', $1, 'object', '', 'unreadable', '' from generate_series(1, 2 * $2::integer)`,
    [scan, n],
  );
  await db.query(
    `with leases as (
       insert into range_lease (tenant, group_id, after_key, cursor, reserved_up_to, state)
       select 'default', $1, '', '', '', 'done' from generate_series(1, $2) returning id)
     insert into shard (lease_id, scan_id, tenant) select id, $1, 'default' from leases`,
    [scan, n],
  );
  await db.query(`insert into retry_key select $1, 'default', 'x' from generate_series(1, 2 * $2::integer)`, [
    lease!.id,
    n,
  ]);
  await db.query(
    `insert into inventory_block (scan_id, tenant, up_to, entries)
     select $1, 'default', convert_to(i::text, 'UTF8'), 'x' from generate_series(1, 1000) i`,
    [scan],
  );
  await db.query(
    `insert into event (workflow_key, version, workflow, slot, hash, type, data)
     select $1, 100 + i, 'scan', 0, 0, 'shardCompleted', '{}' from generate_series(1, 2 * $2::integer) i`,
    [history!.key, n],
  );
}

const TABLES = `select c.table_name as name, c.column_name as column from information_schema.columns c
  join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'seine' and t.table_type = 'BASE TABLE' and c.column_name in ('scan_id', 'group_id')`;

/** Number of rows of a scan by table, for all tables that refer to scans. */
async function rowsOf(scan: number): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { name, column } of await many<{ name: string; column: string }>(db, TABLES)) {
    const { n } = await one<{ n: number }>(db, `select count(*) as n from ${name} where ${column} = $1`, [
      scan,
    ]);
    if (n > 0) found[name] = n;
  }
  const { findings, events } = await one<{ findings: number; events: number }>(
    db,
    `select (select count(*) from finding left join object_result on id = object_id where id is null or scan_id = $1) as findings,
            (select count(*) from workflow join event on workflow_key = key where id = $2) as events`,
    [scan, String(scan)],
  );
  return { ...found, ...(findings && { findings }), ...(events && { events }) };
}

/**
 * Rows that this session has deleted since it last reported: only differences within a transaction are
 * meaningful.
 */
async function deleted(tx: Tx): Promise<number> {
  const { n } = await one<{ n: number }>(
    tx,
    'select sum(n_tup_del)::bigint as n from pg_stat_xact_user_tables',
  );
  return n;
}

describe('an old scan with very many rows', () => {
  it('is removed completely, in transactions of bounded size, and no other with it', async () => {
    const kept = await rowsOf(newer);
    const sizes: number[] = [];
    const within = <T>(work: (tx: Tx) => Promise<T>) =>
      db.tx(async (tx) => {
        const before = await deleted(tx);
        const result = await work(tx);
        sizes.push((await deleted(tx)) - before);
        return result;
      });
    await applyRetention(OLD, within, 60_000);
    expect(await rowsOf(old)).toEqual({});
    expect(await rowsOf(newer)).toEqual(kept);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10_000);
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(90_000);
  });

  it('is invisible as a whole from the first transaction on', async () => {
    await db.tx(markSuperseded);
    await db.tx((tx) => detachOldScan(tx, OLD.finishedScansMs));
    await db.tx(removeDetached);
    expect(await readScan(db, old)).toBeNull();
    expect((await listScanOverviews(db, 'default', 10)).map(({ id }) => id)).toEqual([newer]);
    const ofAll = { tenant: 'default' };
    expect(await listLetters(db, ofAll, { limit: 1 })).toMatchObject([{ scan: newer }]);
    expect(await groupLetters(db, ofAll)).toMatchObject([{ scan: newer }]);
    expect(await db.tx((tx) => markRetrying(tx, { ...ofAll, scan: old }))).toEqual([]);
    expect(await many(db, `select 1 from workflow where name = 'scan' and id = $1`, [String(old)])).toEqual(
      [],
    );
    await db.query('delete from inventory_block where scan_id = $1', [newer]);
    const scan = (await readScan(db, newer))!;
    const like = { ...scan, scopeHash: 'all', wholeScope: 'all' };
    expect(await db.tx((tx) => findBase(tx, like))).toBeNull();
  });

  it('is removed completely by the next process, wherever the previous one was killed', async () => {
    for (let at = 1; ; at++) {
      let steps = 0;
      const killed = <T>(work: (tx: Tx) => Promise<T>) =>
        db.tx(async (tx) => {
          const result = await work(tx);
          if (++steps === at) throw new Error('killed');
          return result;
        });
      const ended = await applyRetention(OLD, killed, 60_000).then(
        () => true,
        () => false,
      );
      if (ended) break;
    }
    expect(await rowsOf(old)).toEqual({});
  });

  it('is removed by us when an earlier version has deleted its work', async () => {
    await db.query('delete from lease_group where id = $1', [old]);
    await applyRetention({ finishedScansMs: null, endedLeasesMs: null }, db.tx, 60_000);
    expect(await rowsOf(old)).toMatchObject({ events: expect.any(Number) }); // removed by that version itself
    expect(Object.keys(await rowsOf(old))).toEqual(['events']);
  });

  it('is kept while one of its dead letters is being retried', async () => {
    await db.tx(markSuperseded);
    await db.tx(async (tx) => {
      await markRetrying(tx, { tenant: 'default', scan: old });
      expect(await db.tx((other) => detachOldScan(other, OLD.finishedScansMs))).toBe(false);
    });
  });
});
