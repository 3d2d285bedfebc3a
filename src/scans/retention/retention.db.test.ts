import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan, recordingJobs, workerDeps } from '../../../test/support/scan.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { keyOf } from '../../base/key.ts';
import { type Database, one, type Tx } from '../../db/database.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { finalizeScan } from '../lifecycle/finalize-scan.ts';
import { readScan, reopenScan } from '../lifecycle/scan-store.ts';
import { readLedger } from '../results/report-store.ts';
import { runScan } from '../run-scan.ts';
import { coverageSums } from '../shard/shard-store.ts';
import { applyRetention } from './apply-retention.ts';
import { detachOldScan } from './removal-store.ts';
import { rollUpLedgers } from './retention-store.ts';
import { markSuperseded } from './superseded-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const DAY = 86_400_000;

/** A scan of three shards that ended this many days ago. */
async function endedScan(source: ReturnType<typeof createMemorySource>, days: number): Promise<number> {
  const { jobs } = recordingJobs(db);
  const [b, d] = [keyOf('b'), keyOf('d')];
  const ranges = [
    { after: keyOf(''), upTo: b },
    { after: b, upTo: d },
    { after: d, upTo: null },
  ];
  const scan = await plannedScan(db, source, ranges);
  const stop = new AbortController();
  const run = runScan(scan, workerDeps(db, source, jobs), stop.signal);
  await waitUntil(
    'the scan to be finalized',
    async () => (await readScan(db, scan))!.status === 'finalizing',
  );
  await finalizeScan(db, jobs, scan);
  await run;
  await db.query(`update scan set finished_at = now() - $2 * interval '1 day' where id = $1`, [scan, days]);
  return scan;
}

/** Number of its events in the log, including the workflow that they belong to. */
async function eventsOf(scan: number): Promise<number> {
  const { rows } = await db.query(
    'select 1 from workflow left join event on workflow_key = key where id = $1',
    [String(scan)],
  );
  return rows.length;
}

const memory = () =>
  createMemorySource({ a: 'x', b: 'mail: ann@example.com', c: '', e: 'y' }, { id: `memory:${randomUUID()}` });

/** Adds shards, each with a coverage row, as a scan of a large source has. */
async function manyShards(scan: number, n: number): Promise<void> {
  await db.query(
    `with added as (
       insert into range_lease (tenant, group_id, after_key, cursor, reserved_up_to, state)
       select 'default', $1, '', '', '', 'done' from generate_series(1, $2) returning id),
     shards as (
       insert into shard (lease_id, scan_id, tenant, listed, bytes_read) select id, $1, 'default', 2, 20 from added)
     insert into ledger (scan_id, tenant, lease_id, outcome, objects, bytes)
     select $1, 'default', id, 'scanned', 2, 20 from added`,
    [scan, n],
  );
}

const removeOld = () => applyRetention({ finishedScansMs: 90 * DAY, endedLeasesMs: null }, db.tx, 60_000);

describe('rolling up', () => {
  it('keeps every sum of a scan that ended long ago, in few rows', async () => {
    const scan = await endedScan(memory(), 8);
    const before = [await readLedger(db, scan), await coverageSums(db, scan)];
    expect(await db.tx((tx) => rollUpLedgers(tx, 7 * DAY))).toBe(2);
    expect([await readLedger(db, scan), await coverageSums(db, scan)]).toEqual(before);
    const { rows } = await db.query('select 1 from range_lease where group_id = $1', [scan]);
    expect(rows).toHaveLength(1);
    expect(await db.tx((tx) => rollUpLedgers(tx, 7 * DAY))).toBeNull();
  });

  it('keeps every sum after each of its transactions, however many shards there are', async () => {
    const scan = await endedScan(memory(), 8);
    await manyShards(scan, 11_000);
    const before = [await readLedger(db, scan), await coverageSums(db, scan)];
    const went: (number | null)[] = [];
    do {
      went.push(await db.tx((tx) => rollUpLedgers(tx, 7 * DAY)));
      expect([await readLedger(db, scan), await coverageSums(db, scan)]).toEqual(before);
    } while (went.at(-1) !== null);
    expect(went).toEqual([5_000, 5_000, 1_002, null]);
  });

  it('reads no leases when there is nothing to do', async () => {
    for (let i = 0; i < 3; i++) await endedScan(memory(), 8);
    await applyRetention({ finishedScansMs: null, endedLeasesMs: 7 * DAY }, db.tx, 10_000);
    await manyShards(await endedScan(memory(), 1), 1_000);
    const leasesRead = async (tx: Tx) => {
      const sql = `select (seq_tup_read + idx_tup_fetch)::bigint as read from pg_stat_xact_user_tables where relname = 'range_lease'`;
      return (await one<{ read: number }>(tx, sql)).read;
    };
    const read = await db.tx(async (tx) => {
      const before = await leasesRead(tx);
      await rollUpLedgers(tx, 7 * DAY);
      return (await leasesRead(tx)) - before;
    });
    expect(read).toBe(0);
  });

  it('rolls up a scan again that was reopened and has ended again', async () => {
    const scan = await endedScan(memory(), 8);
    expect(await db.tx((tx) => rollUpLedgers(tx, 7 * DAY))).toBe(2);
    await db.tx((tx) => reopenScan(tx, scan));
    await manyShards(scan, 3);
    await db.query(
      `update scan set status = 'completed', finished_at = now() - interval '8 days' where id = $1`,
      [scan],
    );
    expect(await db.tx((tx) => rollUpLedgers(tx, 7 * DAY))).toBe(3);
  });

  it('never waits for locks, and skips a scan that is being reopened', async () => {
    const scan = await endedScan(memory(), 8);
    await db.tx(async (opening) => {
      await reopenScan(opening, scan);
      expect(await db.tx((tx) => rollUpLedgers(tx, 7 * DAY))).toBeNull();
      await db.tx(markSuperseded);
      expect(await db.tx((tx) => detachOldScan(tx, 7 * DAY))).toBe(false);
    });
    expect((await db.query('select 1 from range_lease where group_id = $1', [scan])).rows).toHaveLength(3);
  });

  it('skips a scan that ended recently', async () => {
    const scan = await endedScan(memory(), 6);
    await db.tx((tx) => rollUpLedgers(tx, 7 * DAY));
    expect((await db.query('select 1 from range_lease where group_id = $1', [scan])).rows).toHaveLength(3);
  });
});

describe('old scans', () => {
  it('are removed when there is a newer one of the same source, also one based on them; the newest of a source is kept', async () => {
    const source = memory();
    const [old, newer] = [await endedScan(source, 100), await endedScan(source, 99)];
    expect(await readScan(db, newer)).toMatchObject({ base: old });
    await removeOld();
    expect(await readScan(db, old)).toBeNull();
    expect(await readScan(db, newer)).toMatchObject({ base: null });
    expect(await eventsOf(old)).toBe(0);
    expect(await eventsOf(newer)).toBeGreaterThan(0);
  });

  it('are kept while a scan that has not ended uses their inventory', async () => {
    const source = memory();
    const [old, newer] = [await endedScan(source, 100), await endedScan(source, 99)];
    await db.query('update inventory_block set scan_id = $1 where scan_id = $2', [old, newer]);
    const running = await plannedScan(db, source);
    expect(await readScan(db, running)).toMatchObject({ base: old });
    await removeOld();
    expect(await readScan(db, old)).not.toBeNull();
  });
});
