/** Which old scans are kept, also when a scan starts to need one while it is removed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import { type Database, one, type Tx } from '../../db/database.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import { ENDS } from '../hooks/hook.ts';
import { addHooks } from '../hooks/hook-store.ts';
import { findBase, readScan, reopenScan } from '../lifecycle/scan-store.ts';
import { applyRetention } from './apply-retention.ts';
import { detachOldScan } from './removal-store.ts';
import { markSuperseded } from './superseded-store.ts';

const KEEP_MS = 90 * 86_400_000;

let db: Database;
let source: MemorySource;
let old: number;
beforeAll(async () => {
  db = await freshDatabase();
});
beforeEach(async () => {
  await db.query('delete from lease_group where id > 0');
  await db.query('delete from scan_removal');
  source = createMemorySource({}, { id: `memory:${randomUUID()}` });
  old = await endedScan(source, 300);
  await addBlock(old);
  // A newer one with other rules: it is no base for a scan under the rules of the old one.
  await db.query(`update scan set inventory_key = 'other' where id = $1`, [await endedScan(source, 1)]);
});
afterAll(() => db.close());

async function endedScan(of: MemorySource, days: number): Promise<number> {
  const scan = await plannedScan(db, of);
  await db.query(
    `update scan set status = 'completed', finished_at = now() - $2 * interval '1 day' where id = $1`,
    [scan, days],
  );
  return scan;
}

async function addBlock(scan: number): Promise<void> {
  await db.query(
    `insert into inventory_block (scan_id, tenant, up_to, entries) values ($1, 'default', 'a', 'x')`,
    [scan],
  );
}

async function like(scan: number) {
  return { ...(await readScan(db, scan))!, scopeHash: 'all', wholeScope: 'all' };
}

const remove = () => applyRetention({ finishedScansMs: KEEP_MS, endedLeasesMs: null }, db.tx, 60_000);

describe('the base of a scan', () => {
  it('is not removed between the moment it is found and the start of the scan', async () => {
    await db.tx(markSuperseded);
    const scanRow = await like(old);
    await db.tx(async (tx) => {
      expect(await findBase(tx, scanRow)).toBe(old);
      expect(await db.tx((other) => detachOldScan(other, KEEP_MS))).toBe(false);
    });
    expect(await db.tx((tx) => detachOldScan(tx, KEEP_MS))).toBe(true);
  });

  it('is not removed when a scan that builds on it was started after it was chosen for removal', async () => {
    await db.tx(markSuperseded);
    let running: number | null = null;
    const removed = await db.tx(async (tx) => {
      // Simulates a slow statement: what it read is outdated when the row is locked.
      const blind: Tx = {
        ...tx,
        query: async (sql, params) => {
          if (!sql.includes('skip locked') || running !== null) return tx.query(sql, params);
          running = await plannedScan(db, source);
          return { rows: [{ id: old, tenant: 'default' }], rowCount: 1 } as never;
        },
      };
      return detachOldScan(blind, KEEP_MS);
    });
    expect(removed).toBe(false);
    expect(await readScan(db, running!)).toMatchObject({ base: old });
  });

  it('is another one when the best is just being removed', async () => {
    await db.tx(markSuperseded);
    const scanRow = await like(old);
    const older = await endedScan(source, 10);
    await db.query('update scan set inventory_key = $2 where id = $1', [older, scanRow.inventoryKey]);
    await addBlock(older);
    await db.query(`update scan set scope_hash = 'part' where id = $1`, [older]);
    let finding: Promise<number | null> | null = null;
    await db.tx(async (tx) => {
      expect(await detachOldScan(tx, KEEP_MS)).toBe(true);
      finding = db.tx((other) => findBase(other, scanRow));
      await expect
        .poll(async () => (await one<{ n: number }>(db, WAITING)).n, { message: 'it waits for the lock' })
        .toBe(1);
    });
    expect(await finding).toBe(older);
  });

  it('is kept while a scan that is based on it is being reopened', async () => {
    const dependent = await plannedScan(db, source);
    await db.query(`update scan set status = 'completed', finished_at = now() where id = $1`, [dependent]);
    await db.tx(markSuperseded);
    await db.tx(async (opening) => {
      await reopenScan(opening, dependent);
      expect(await db.tx((tx) => detachOldScan(tx, KEEP_MS))).toBe(false);
    });
    expect(await readScan(db, dependent)).toMatchObject({ base: old, status: 'running' });
  });
});

const WAITING = `select count(*) as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

describe('an old scan with a hook that has not run', () => {
  it.each([
    ['done', null],
    ['failed', null],
    ['waiting', 'kept'],
  ])('in the state %s: %s', async (state, kept) => {
    await db.tx((tx) =>
      addHooks(tx, old, [
        { kind: 'export', name: 'out', target: '/out', format: 'jsonl', on: ENDS, place: 'gone/1' },
      ]),
    );
    await db.query('update scan_hook set state = $2 where scan_id = $1', [old, state]);
    await remove();
    expect((await readScan(db, old)) && 'kept').toBe(kept);
  });
});

describe('finding old scans', () => {
  /** Number of scan rows read. */
  async function reads(tx: Tx): Promise<number> {
    const sql = `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as n from pg_stat_xact_user_tables where relname = 'scan'`;
    return (await one<{ n: number }>(tx, sql)).n;
  }

  /** Scans that are each the newest of their source. */
  async function keptScans(n: number): Promise<void> {
    await db.query(
      `with works as (insert into lease_group (tenant, kind, remaining) select 'default', 'shard', 0 from generate_series(1, $2) returning id)
       insert into scan (id, tenant, source, target, scope, scope_hash, rules, rules_hash, max_findings_per_type, inventory_key, status, finished_at)
       select works.id, tenant, source || works.id, target, scope, scope_hash, rules, rules_hash, max_findings_per_type, inventory_key,
              'completed', now() - interval '400 days'
       from scan, works where scan.id = $1`,
      [old, n],
    );
  }

  it('costs in proportion to what can be removed, not to what is kept', async () => {
    await keptScans(3_000);
    await db.query('analyze scan');
    await remove();
    expect(await readScan(db, old)).toBeNull();
    const read = await db.tx(async (tx) => {
      const before = await reads(tx);
      expect(await markSuperseded(tx)).toBe(false);
      expect(await detachOldScan(tx, KEEP_MS)).toBe(false);
      return (await reads(tx)) - before;
    });
    expect(read).toBeLessThan(10);
  });

  it('finds one whose newer scan ended earlier', async () => {
    const late = await plannedScan(db, source);
    const first = await endedScan(source, 200);
    await remove();
    await db.query(
      `update scan set status = 'completed', finished_at = now() - interval '199 days' where id = $1`,
      [late],
    );
    await remove();
    expect(await readScan(db, late)).toBeNull();
    expect(await readScan(db, first)).not.toBeNull();
  });

  it('never waits for locks, and finds locked ones later', async () => {
    await db.tx(async (holding) => {
      await holding.query('select 1 from scan where id = $1 for update', [old]);
      await remove();
    });
    expect(await readScan(db, old)).not.toBeNull();
    await remove();
    expect(await readScan(db, old)).toBeNull();
  });
});
