import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, hasLockWaiter } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, workerDeps } from '../../../test/support/scan.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { type Database, one } from '../../db/database.ts';
import { reserveBudget, setBudget } from '../../engine/budget/budget-store.ts';
import { raiseBudget } from '../../engine/budget/raise-budget.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { readLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { completeLease } from '../../engine/leases/lease-store.ts';
import { splitLeaseAt } from '../../engine/leases/split-store.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { runScan } from '../run-scan.ts';
import { addRanges, addShards, coverageSums } from '../shard/shard-store.ts';
import { cancelScan, findStoppable, pauseExhaustedScan, pauseScan } from './control-scan.ts';
import { finalizeScan, startFinalizing } from './finalize-scan.ts';
import { findResumable, resumeScan } from './resume-scan.ts';
import { withScanEvents } from './scan-events.ts';
import { readScan } from './scan-store.ts';
import { SHARD } from './start-scan.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterAll(() => db.close());

const never = new AbortController().signal;
const FILES = 2000;

function scene() {
  const contents = Object.fromEntries(
    Array.from({ length: FILES }, (_, i) => [`f${i}`, `u${i}@example.com`]),
  );
  const source = createMemorySource(contents, { id: `memory:${randomUUID()}`, batch: 100 });
  const { jobs, sent } = recordingJobs(db);
  /** Calls `strike` once this many objects were submitted; the others wait until it is done. */
  const pool = (at: number, strike: () => Promise<void>) => {
    let seen = 0;
    let struck = Promise.resolve();
    const here = inspectInProcess(source);
    const submit: typeof here.submit = (object, done) => {
      if (++seen === at) struck = strike();
      void struck.then(() => here.submit(object, done));
    };
    return { ...here, submit };
  };
  return { source, jobs, sent, pool };
}

async function claimed(scan: number): Promise<HeldLease> {
  const holder = randomUUID();
  return (await claimLease(db, { kind: SHARD, groupId: scan, holder, ttlMs: 60_000 }))!;
}

describe('an exhausted budget', () => {
  const small = { requests: 1 };
  const request = { requests: 1, bytes: 0, nanos: 0 };

  async function spentScan() {
    const { source, jobs } = scene();
    const scan = await plannedScan(db, source);
    await db.tx((tx) => setBudget(tx, scan, small));
    for (let turn = 0; turn < 2; turn++) await reserveBudget(db, scan, request, request);
    return { scan, jobs };
  }

  it('interrupts the scan', async () => {
    const { scan } = await spentScan();
    await pauseExhaustedScan(db, scan, 'the budget is spent');
    expect(await readScan(db, scan)).toMatchObject({ status: 'interrupted', error: 'the budget is spent' });
    expect(await readLeaseGroup(db, scan)).toMatchObject({ paused: true });
  });

  it('does not pause a scan that was resumed with a larger one before the pause arrived', async () => {
    const { scan, jobs } = await spentScan();
    await pauseExhaustedScan(db, scan, 'the budget is spent');
    await db.tx((tx) => raiseBudget(tx, scan, { requests: 10 }));
    await resumeScan(db, jobs, await findResumable(db, 'default', scan), null, null);
    await pauseExhaustedScan(db, scan, 'the budget is spent'); // from another worker, delayed
    expect(await readScan(db, scan)).toMatchObject({ status: 'running', error: null });
    expect(await readLeaseGroup(db, scan)).toMatchObject({ paused: false });
  });

  it('interrupts the scan again when the larger one is exhausted too', async () => {
    const { scan, jobs } = await spentScan();
    await db.tx((tx) => raiseBudget(tx, scan, { requests: 2 }));
    await resumeScan(db, jobs, await findResumable(db, 'default', scan), null, null);
    for (let turn = 0; turn < 2; turn++) await reserveBudget(db, scan, request, request);
    await pauseExhaustedScan(db, scan, 'the budget is spent');
    expect(await readScan(db, scan)).toMatchObject({ status: 'interrupted' });
  });
});

describe('pausing', () => {
  it('makes workers release their shards, and nothing is lost after a resume', async () => {
    const { source, jobs, pool } = scene();
    const scan = await plannedScan(db, source);
    const pausing = pool(300, () => pauseScan(db, scan, 'paused'));
    await runScan(scan, workerDeps(db, source, jobs, { pool: pausing }), never);
    expect(await readScan(db, scan)).toMatchObject({ status: 'paused', finishedAt: null });
    expect((await coverageSums(db, scan)).ledgered).toBeLessThan(FILES);
    const rest = await findResumable(db, 'default', scan);
    await resumeScan(db, jobs, rest, null, 'old');
    const going = runScan(scan, workerDeps(db, source, jobs), never);
    await waitUntil(
      'the scan to be finalized',
      async () => (await readScan(db, scan))!.status === 'finalizing',
    );
    await finalizeScan(db, jobs, scan);
    await going;
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed' });
    expect(await coverageSums(db, scan)).toEqual({ listed: FILES, ledgered: FILES, dead: 0 });
  });

  it('of a scan whose last shard is just ending waits for that, and they do not wait for each other', async () => {
    const { source, jobs } = scene();
    const scan = await plannedScan(db, source);
    const held = await claimed(scan);
    const pausing = await withScanEvents(db, async (tx, record) => {
      expect(await completeLease(tx, held)).toBe(0);
      const started = { end: pauseScan(db, scan, 'paused') };
      await hasLockWaiter(db);
      await startFinalizing(jobs, tx, scan, record);
      return started;
    });
    await pausing.end;
    expect(await readScan(db, scan)).toMatchObject({ status: 'finalizing' });
  });

  it('stores the reason, if there is one', async () => {
    const { source } = scene();
    const scan = await plannedScan(db, source);
    await pauseScan(db, scan, 'interrupted', 'the budget is spent');
    expect(await readScan(db, scan)).toMatchObject({ status: 'interrupted', error: 'the budget is spent' });
    expect(await readLeaseGroup(db, scan)).toMatchObject({ paused: true });
  });
});

describe('cancelling', () => {
  it('ends the scan for good, with what it has, and finalizes once', async () => {
    const { source, jobs, sent, pool } = scene();
    const scan = await plannedScan(db, source);
    const struck = Promise.withResolvers<void>();
    const cancelling = pool(300, () => cancelScan(db, jobs, scan).then(struck.resolve));
    const run = runScan(scan, workerDeps(db, source, jobs, { pool: cancelling }), never);
    await struck.promise;
    await cancelScan(db, jobs, scan); // a second time changes nothing
    await finalizeScan(db, jobs, scan);
    await run;
    expect(await readScan(db, scan)).toMatchObject({ status: 'cancelled' });
    const { listed, ledgered } = await coverageSums(db, scan);
    expect(listed).toBe(ledgered);
    expect(ledgered).toBeLessThan(FILES);
    const finalizes = (await sent()).filter(
      (job) => job.name === 'finalize' && (job.data as { scan: number }).scan === scan,
    );
    expect(finalizes).toHaveLength(1);
  });

  it('ends the parts that were split off while it waited for the lease', async () => {
    const { source, jobs } = scene();
    const scan = await plannedScan(db, source);
    const { lease } = await one<{ lease: number }>(
      db,
      'select id as lease from range_lease where group_id = $1',
      [scan],
    );
    const cancelling = await db.tx(async (tx) => {
      const parts = await splitLeaseAt(tx, lease, [keyOf('f1'), keyOf('f2')]);
      await addShards(
        tx,
        scan,
        parts.map(({ id }) => id),
      );
      const started = { end: cancelScan(db, jobs, scan) };
      await hasLockWaiter(db);
      return started;
    });
    await cancelling.end;
    expect(await readLeaseGroup(db, scan)).toMatchObject({ remaining: 0, cancelled: 3 });
    expect(await readScan(db, scan)).toMatchObject({ status: 'finalizing' });
  });

  it('ends the parts of a huge object whose shard ended with it', async () => {
    const { source, jobs } = scene();
    const scan = await plannedScan(db, source);
    const held = await claimed(scan);
    const cancelling = await db.tx(async (tx) => {
      await addRanges(tx, scan, [FULL_RANGE]);
      expect(await completeLease(tx, held)).toBe(1);
      const started = { end: cancelScan(db, jobs, scan) };
      await hasLockWaiter(db);
      return started;
    });
    await cancelling.end;
    expect(await readLeaseGroup(db, scan)).toMatchObject({ remaining: 0, cancelled: 1 });
    expect(await readScan(db, scan)).toMatchObject({ status: 'finalizing' });
  });

  it('is refused for a scan that has ended, or that never was', async () => {
    const { source, jobs } = scene();
    const scan = await plannedScan(db, source);
    await cancelScan(db, jobs, scan);
    await finalizeScan(db, jobs, scan);
    await expect(findStoppable(db, scan, 'cancel')).rejects.toMatchObject({ kind: 'conflict' });
    await expect(findStoppable(db, 999_999, 'cancel')).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describe('pausing at the very moment when the last shard ends', () => {
  it('takes its turn: both lock the work before the scan', async () => {
    const { source, jobs } = scene();
    const scan = await plannedScan(db, source);
    let pausing = Promise.resolve();
    await withScanEvents(db, async (tx, record) => {
      await tx.query('update lease_group set remaining = 0 where id = $1', [scan]);
      pausing = pauseScan(db, scan, 'interrupted');
      pausing.catch(() => {}); // checked below
      const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await waitUntil('the pause to wait for a lock', async () => (await db.query(waits)).rowCount !== 0);
      await startFinalizing(jobs, tx, scan, record);
    });
    await pausing;
    expect(await readScan(db, scan)).toMatchObject({ status: 'finalizing' });
    expect(await readLeaseGroup(db, scan)).toMatchObject({ paused: false });
  });
});
