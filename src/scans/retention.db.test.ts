import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { handTools, plannedScan, rememberedJobs } from '../../test/support/scan.ts';
import { keyOf } from '../base/key.ts';
import type { Database } from '../db/database.ts';
import { createMemorySource } from '../sources/memory/memory.ts';
import { finalizeScan } from './finalize.ts';
import { readLedger } from './report-store.ts';
import { removeOldScans, rollUpLedgers } from './retention-store.ts';
import { runScan } from './run-scan.ts';
import { readScan, reopenScan } from './scan-store.ts';
import { coverageSums } from './shard-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const DAY = 86_400_000;

/** Three shards, ended so many days ago. */
async function endedScan(source: ReturnType<typeof createMemorySource>, days: number): Promise<number> {
  const { jobs } = rememberedJobs(db);
  const [b, d] = [keyOf('b'), keyOf('d')];
  const ranges = [
    { after: keyOf(''), upTo: b },
    { after: b, upTo: d },
    { after: d, upTo: null },
  ];
  const scan = await plannedScan(db, source, ranges);
  const stop = new AbortController();
  const run = runScan(scan, handTools(db, source, jobs), stop.signal);
  while ((await readScan(db, scan))!.status !== 'finalizing')
    await new Promise((resolve) => setTimeout(resolve, 5));
  await finalizeScan(db, jobs, scan);
  await run;
  await db.query(`update scan set finished_at = now() - $2 * interval '1 day' where id = $1`, [scan, days]);
  return scan;
}

/** In the log, with the workflow they belong to. */
async function eventsOf(scan: number): Promise<number> {
  const { rows } = await db.query(
    'select 1 from workflow left join event on workflow_key = key where id = $1',
    [String(scan)],
  );
  return rows.length;
}

const memory = () =>
  createMemorySource({ a: 'x', b: 'mail: ann@example.com', c: '', e: 'y' }, { id: `memory:${randomUUID()}` });

describe('rolling up', () => {
  it('keeps every sum of a scan that ended long ago, in few rows', async () => {
    const scan = await endedScan(memory(), 8);
    const before = [await readLedger(db, scan), await coverageSums(db, scan)];
    expect(await db.tx((tx) => rollUpLedgers(tx, 7 * DAY))).toBe(1);
    expect([await readLedger(db, scan), await coverageSums(db, scan)]).toEqual(before);
    const { rows } = await db.query('select 1 from lease where work_id = $1', [scan]);
    expect(rows).toHaveLength(1);
    expect(await db.tx((tx) => rollUpLedgers(tx, 7 * DAY))).toBe(0);
  });

  it('waits for nobody, and leaves a scan alone that is just opened again', async () => {
    const scan = await endedScan(memory(), 8);
    await db.tx(async (opening) => {
      await reopenScan(opening, scan);
      expect(await db.tx((tx) => rollUpLedgers(tx, 7 * DAY))).toBe(0);
      expect(await db.tx((tx) => removeOldScans(tx, 7 * DAY))).toBe(0);
    });
    expect((await db.query('select 1 from lease where work_id = $1', [scan])).rows).toHaveLength(3);
  });

  it('leaves a scan alone that ended lately', async () => {
    const scan = await endedScan(memory(), 6);
    await db.tx((tx) => rollUpLedgers(tx, 7 * DAY));
    expect((await db.query('select 1 from lease where work_id = $1', [scan])).rows).toHaveLength(3);
  });
});

describe('old scans', () => {
  it('go when there is a newer one of the same source, also one that built on them; the newest of a source stays', async () => {
    const source = memory();
    const [old, newer] = [await endedScan(source, 100), await endedScan(source, 99)];
    expect(await readScan(db, newer)).toMatchObject({ base: old });
    await db.tx((tx) => removeOldScans(tx, 90 * DAY));
    expect(await readScan(db, old)).toBeNull();
    expect(await readScan(db, newer)).toMatchObject({ base: null });
    expect(await eventsOf(old)).toBe(0);
    expect(await eventsOf(newer)).toBeGreaterThan(0);
  });

  it('stay while a scan that has not ended asks them what is unchanged', async () => {
    const source = memory();
    const [old, newer] = [await endedScan(source, 100), await endedScan(source, 99)];
    await db.query('update inventory set scan_id = $1 where scan_id = $2', [old, newer]);
    const running = await plannedScan(db, source);
    expect(await readScan(db, running)).toMatchObject({ base: old });
    await db.tx((tx) => removeOldScans(tx, 90 * DAY));
    expect(await readScan(db, old)).not.toBeNull();
  });
});
