/**
 * Numbers beyond 2^53 are rounded in JavaScript. Sizes and their sums are still shown; ids never come near.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan } from '../../../test/support/scan.ts';
import { keyOf } from '../../base/key.ts';
import { type Database, one } from '../../db/database.ts';
import { readBudget, reserveBudget, setBudget } from '../../engine/budget/budget-store.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { recordHeartbeat, registerWorker } from '../../engine/workers/worker-store.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { sizesOf } from '../baselines/new-finding-store.ts';
import { readObject } from '../explain/explain-store.ts';
import { parquetFile } from '../hooks/export/parquet-file.ts';
import { OBJECTS, objectRow } from '../hooks/export/table.ts';
import { InventoryHash } from '../inventory/inventory.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { readSnapshot } from '../monitor/read-snapshot.ts';
import { endScanAs } from '../monitor/running-scan.fixture.ts';
import { objectsOf } from '../results/finding-store.ts';
import { notRead } from '../results/inspection.ts';
import { readLedger, readReport } from '../results/report-store.ts';
import { listScanOverviews } from '../results/scan-overviews.ts';
import { rollUpLedgers } from '../retention/retention-store.ts';
import { insertSegmented, readSegmented } from '../segments/segment-store.ts';
import { recordedObjects } from '../whatif/what-if-store.ts';
import { checkpoint } from './checkpoint.ts';
import { CheckpointBatch } from './checkpoint-batch.ts';
import { removeObjects } from './result-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const PiB = 2 ** 50;
const key = keyOf('tape.bin');
const source = createMemorySource({}, { id: 'memory:tapes' });
source.put(key, '', { size: 10 * PiB });

/** A scan of two objects of 10 and 8,000 PiB without findings. */
async function scanOfTapes(): Promise<number> {
  const scan = await plannedScan(db, source);
  const held = (await claimLease(db, { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 }))!;
  const tally = new CheckpointBatch(new InventoryHash(Buffer.alloc(32, 7)));
  const object = { key, size: 10 * PiB, modified: null, identity: '1' };
  const partial = {
    ...notRead('skipped', '', true),
    outcome: 'partial',
    score: 9,
    points: 9,
    tier: 'LOW',
  } as const;
  tally.add(object, { ...partial, counts: { email: 1 } });
  tally.add({ ...object, key: keyOf('tape2.bin'), size: 8000 * PiB }, partial);
  const { inventoryKey } = (await readScan(db, scan))!;
  const to = {
    cursor: keyOf('z'),
    reserved: keyOf('z'),
    ttlMs: 60_000,
    base: null,
    inventoryKey,
    retrying: false,
  };
  await db.tx((tx) => checkpoint(tx, held, { ...to, tally, started: true }, () => {}));
  return scan;
}

describe('sizes beyond 2^53 bytes', () => {
  it('are in the report, in the list of scans and in what is exported', async () => {
    const scan = (await readScan(db, await scanOfTapes()))!;
    const report = await readReport(db, scan);
    expect(report.ledger).toEqual([
      { outcome: 'partial', reason: null, reasonCode: null, objects: 2, bytes: 8010 * PiB },
    ]);
    expect(report.objects.map(({ size }) => size)).toEqual([10 * PiB, 8000 * PiB]);
    expect(JSON.parse(JSON.stringify(report)).ledger[0].bytes).toBe(8010 * PiB);
    expect((await listScanOverviews(db, 'default', 1))[0]).toMatchObject({ objects: 2 });
    for await (const objects of objectsOf(db, scan.id)) {
      const rows = objects.map((object) => objectRow(scan, object));
      expect(rows.map(({ size }) => size)).toEqual([10 * PiB, 8000 * PiB]);
      for await (const bytes of parquetFile(streamed(rows), OBJECTS)) expect(bytes.length).toBeGreaterThan(0);
    }
  });

  it('are in the snapshot of a running scan, and in its worker progress', async () => {
    await endScanAs(db, await scanOfTapes(), 'completed');
    const scan = await scanOfTapes();
    const id = randomUUID();
    const worker = { id, host: 'pier', pid: 1, version: '', threads: 1, concurrency: 1, workflows: [] };
    await registerWorker(db, { ...worker, role: 'scans' });
    const progress = { objects: 1, findings: 0, waitedMs: 0, fencedWrites: 0, draining: false };
    expect(await recordHeartbeat(db, id, { ...progress, bytes: 2 ** 64 })).toBe(true);
    const snapshot = (await readSnapshot(db, scan))!;
    expect(snapshot.done).toMatchObject({ objects: 2, bytes: 8010 * PiB });
    expect(snapshot.estimate?.bytes?.likely).toBe(8010 * PiB);
    expect(snapshot.workers.list[0]!.bytes).toBeGreaterThan(2 ** 62);
  });

  it('are in the data that a scan is finalized and compared with', async () => {
    const id = await scanOfTapes();
    const scan = (await readScan(db, id))!;
    const row = await one<{ id: number }>(db, 'select min(id) as id from object_result where scan_id = $1', [
      id,
    ]);
    expect(await readObject(db, { scan: id, object: row.id })).toMatchObject({ size: 10 * PiB });
    const recorded = [];
    for await (const object of recordedObjects(db, scan)) recorded.push(object);
    expect(recorded).toMatchObject([{ size: 10 * PiB }, { size: 8000 * PiB }]);
    expect((await db.tx((tx) => sizesOf(tx, id, [key]))).get(key)!.size).toBe(10 * PiB);
    expect(await db.tx((tx) => removeObjects(tx, id, [key]))).toMatchObject([
      { objects: 1, bytes: 10 * PiB },
    ]);
  });

  it('can be met by parts', async () => {
    const scan = await plannedScan(db, source);
    const object = { key, size: 8000 * PiB, modified: null, identity: '1' };
    const parted = await db.tx((tx) => insertSegmented(tx, scan, object));
    expect(await readSegmented(db, parted.id)).toEqual(parted);
  });

  it('are kept when the coverage of a scan is rolled up, also as a sum beyond a bigint', async () => {
    const scan = await scanOfTapes();
    for (const lease of [1, 2])
      await db.query(
        `insert into ledger select scan_id, tenant, $2, outcome, reason, 1, 9e18 from ledger where scan_id = $1 limit 1`,
        [scan, -lease],
      );
    await db.query(
      `insert into range_lease (tenant, group_id, after_key, cursor, reserved_up_to) values ('default', $1, '', '', '')`,
      [scan],
    );
    await db.query(
      `update scan set status = 'completed', finished_at = now() - interval '1 hour' where id = $1`,
      [scan],
    );
    await db.tx((tx) => rollUpLedgers(tx, 1000));
    expect(await readLedger(db, scan)).toEqual([
      { outcome: 'partial', reason: null, reasonCode: null, objects: 4, bytes: 18e18 + 8010 * PiB },
    ]);
  });

  it('do not stop a budget that counts them', async () => {
    const scan = await plannedScan(db, source);
    await db.tx((tx) => setBudget(tx, scan, { requests: 100 }));
    await db.query('update lease_group_budget set bytes = $2, cost = $2 where group_id = $1', [
      scan,
      100 * PiB,
    ]);
    const need = { requests: 1, bytes: 10, nanos: 0 };
    expect(await reserveBudget(db, scan, need, need)).toMatchObject({ granted: need });
    expect((await readBudget(db, scan))!.used.bytes).toBe(100 * PiB + 10);
  });
});

async function* streamed<T>(rows: readonly T[]): AsyncGenerator<T> {
  yield* rows;
}
