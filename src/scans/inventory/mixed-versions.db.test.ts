/**
 * What workers may do to a scan that was started by another version of Seine, or with another fingerprint
 * key.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan, recordingJobs, workerDeps } from '../../../test/support/scan.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type Database, one } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { readLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import { finalizeScan } from '../lifecycle/finalize-scan.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { SHARD, startScan } from '../lifecycle/start-scan.ts';
import { checkFingerprintKey, offersOf, requireKey } from '../results/fingerprint-key.ts';
import { readLedger } from '../results/report-store.ts';
import { runWorker } from '../run-scan.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterAll(() => db.close());

let sources = 0;
function people(count: number): MemorySource {
  const contents = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `team/${String(i).padStart(5, '0')}.txt`,
      `mail p${i}@example.com`,
    ]),
  );
  return createMemorySource(contents, { id: `memory:mixed-${++sources}`, batch: 10 });
}

async function work(scan: number, source: MemorySource, beforeEnd = async () => {}): Promise<void> {
  const { jobs } = recordingJobs(db);
  const stop = new AbortController();
  const working = runWorker(workerDeps(db, source, jobs, { concurrency: 1 }), stop.signal);
  await waitFor(db, 'the end of the last shard', async () =>
    (await readLeaseGroup(db, scan))!.remaining === 0 ? true : null,
  );
  stop.abort();
  await working;
  await beforeEnd();
  await finalizeScan(db, jobs, scan);
}

async function outcomes(scan: number): Promise<Record<string, number>> {
  const lines = await readLedger(db, scan);
  return Object.fromEntries(lines.map(({ outcome, objects }) => [outcome, objects]));
}

describe('a worker of another version than the one that started the scan', () => {
  it('reads and reports, and leaves nothing that a later scan would take for unchanged', async () => {
    const source = people(30);
    const scan = await plannedScan(db, source);
    await db.query(`update scan set inventory_key = 'of a newer version' where id = $1`, [scan]);
    await work(scan, source);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed', mixedVersions: true });
    expect(await outcomes(scan)).toEqual({ scanned: 30 });
    const { blocks } = await one<{ blocks: number }>(
      db,
      'select count(*) as blocks from inventory_block where scan_id = $1',
      [scan],
    );
    expect(blocks).toBe(0);
  });

  it('of a version that does not record itself, writes blocks that are ignored', async () => {
    const source = people(30);
    const scan = await plannedScan(db, source);
    await work(scan, source);
    expect(await readScan(db, scan)).toMatchObject({ mixedVersions: false });
    await db.query('update inventory_block set inventory_key = null where scan_id = $1', [scan]);
    const again = await plannedScan(db, source);
    expect((await readScan(db, again))!.base).toBe(scan);
    await work(again, source);
    expect(await outcomes(again)).toEqual({ scanned: 30 });
    expect(await readScan(db, again)).toMatchObject({ mixedVersions: false });
  });

  it('of such a version is noticed at the end of the scan', async () => {
    const source = people(3);
    const scan = await plannedScan(db, source);
    await work(scan, source, async () => {
      await db.query('update inventory_block set inventory_key = null where scan_id = $1', [scan]);
    });
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed', mixedVersions: true });
  });

  it('after an upgrade, earlier scans still serve to find unchanged objects', async () => {
    const source = people(30);
    const scan = await plannedScan(db, source);
    await work(scan, source);
    await db.query('update inventory_block set inventory_key = null where scan_id = $1', [scan]);
    await db.query('update scan set blocks_have_keys = false where id = $1', [scan]);
    const again = await plannedScan(db, source);
    await work(again, source);
    expect(await outcomes(again)).toEqual({ unchanged: 30 });
  });
});

describe('tenants with a fingerprint key each', () => {
  it('are served only by workers that have their key', async () => {
    const [red, blue] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    await checkFingerprintKey(db, 'red', red);
    await checkFingerprintKey(db, 'blue', blue);
    const { jobs } = recordingJobs(db);
    const request = {
      tenant: 'blue',
      target: 'sim:dates/30/7',
      scope: {},
      rulesFile: null,
      full: false,
      maxFindingsPerType: 10,
    };
    const scan = await startScan(db, jobs, { ...request, rules: DEFAULT_RULES });
    const claimAs = (key: Buffer, offers = offersOf(key)) =>
      claimLease(db, {
        kind: SHARD,
        groupId: null,
        holder: randomUUID(),
        hostAffinity: hostAffinity(),
        offers,
        ttlMs: 1000,
      });
    expect(await claimAs(red)).toBeNull();
    expect(await claimAs(blue, offersOf(blue).slice(1))).toBeNull(); // of a version that cannot open sealed names
    expect((await claimAs(blue))?.groupId).toBe(scan);
  });

  it('also when resuming a scan started by a version without this rule', async () => {
    await checkFingerprintKey(db, 'green', Buffer.alloc(32, 3));
    const scan = await plannedScan(db, people(1));
    await db.query(`update lease_group set tenant = 'green' where id = $1`, [scan]);
    await db.tx((tx) => requireKey(tx, scan));
    expect((await readLeaseGroup(db, scan))!.requires).toBe(offersOf(Buffer.alloc(32, 3))[0]);
  });
});
