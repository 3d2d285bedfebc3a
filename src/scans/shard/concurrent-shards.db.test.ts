/**
 * Races between two processes on the same scan. They were found by the simulation; here each is a test of
 * its own.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, shardDeps } from '../../../test/support/scan.ts';
import { repeatWhile, waitUntil } from '../../../test/support/wait-for.ts';
import { keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { type Database, one, type Tx } from '../../db/database.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import {
  lockLeaseGroup,
  readLeaseGroup,
  setLeaseGroupPaused,
} from '../../engine/leases/lease-group-store.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import { splitLease } from '../../engine/leases/split-store.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import type { Pacer } from '../checkpoint/checkpoint-pacer.ts';
import { listLetters } from '../dead-letters/letter-store.ts';
import { retryLetters } from '../dead-letters/retry.ts';
import { cancelScan, pauseScan } from '../lifecycle/control-scan.ts';
import { finalizeScan } from '../lifecycle/finalize-scan.ts';
import { resumeScan } from '../lifecycle/resume-scan.ts';
import { readScan, reopenScan, transitionScan } from '../lifecycle/scan-store.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { notRead } from '../results/inspection.ts';
import { rollUpLedgers } from '../retention/retention-store.ts';
import { runShard } from '../run-shard.ts';
import type { ShardContext } from './shard-context.ts';
import { addShards, coverageSums } from './shard-store.ts';

let db: Database;
let jobs: Jobs;
let source: MemorySource;
const TWO = [
  { after: keyOf(''), upTo: keyOf('a') },
  { after: keyOf('a'), upTo: null },
];
const never = new AbortController().signal;
beforeAll(async () => {
  db = await freshDatabase(8);
  jobs = recordingJobs(db).jobs;
});
afterAll(() => db.close());
beforeEach(() => {
  source = createMemorySource({ a: '1', b: '2', c: '3' }, { id: `memory:${randomUUID()}` });
});

/** Runs the first shard that can be claimed. `dead` objects can't be read. */
async function runOne(scan: number, dead: readonly string[] = [], more: Partial<ShardContext> = {}) {
  const request = { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 };
  const held = (await claimLease(db, request))!;
  const queue = inspectInProcess(source, (object, inspection) =>
    dead.includes(object.key) ? notRead('dead', 'broken', false) : inspection(),
  );
  return runShard(held, shardDeps(db, source, jobs, { queue, ...more }), never);
}

/** Starts `other` while `work` holds its locks, waits until it is blocked by them, and finishes both. */
async function heldUp<T>(
  work: (tx: Tx) => Promise<unknown>,
  other: () => Promise<T>,
  then: (tx: Tx) => Promise<unknown>,
): Promise<T> {
  let answer: Promise<T> | null = null;
  await db.tx(async (tx) => {
    await work(tx);
    answer = other();
    answer.catch(() => {});
    await waitUntil('the other transaction to wait for a lock', async () => await someoneWaits());
    await then(tx);
  });
  return answer!;
}

async function someoneWaits(): Promise<boolean> {
  const { n } = await one<{ n: number }>(
    db,
    `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return n > 0;
}

describe('a shard that ends last', () => {
  const acts: Record<string, (scan: number) => Promise<unknown>> = {
    pause: (scan) => pauseScan(db, scan, 'paused'),
    resume: async (scan) => resumeScan(db, jobs, (await readScan(db, scan))!, null, 'old'),
    retry: (scan) => retryLetters(db, jobs, { tenant: 'default', scan }),
  };
  for (const [name, act] of Object.entries(acts))
    it(`is waited for by a ${name}, not the other way round as well`, async () => {
      const scan = await plannedScan(db, source, TWO);
      await runOne(scan, ['a']);
      await heldUp(
        (tx) => setLeaseGroupPaused(tx, scan, false),
        () => act(scan),
        (tx) => transitionScan(tx, scan, ['running'], 'finalizing'),
      );
      expect((await readLeaseGroup(db, scan))!.remaining).toBe(name === 'retry' ? 2 : 1);
    });
});

describe('cancelling', () => {
  it('also ends what is split off at the same moment', async () => {
    const scan = await plannedScan(db, source);
    const { id } = (await claimLease(db, {
      kind: SHARD,
      groupId: scan,
      holder: randomUUID(),
      ttlMs: 60_000,
    }))!;
    await heldUp(
      async (tx) => addShards(tx, scan, [(await splitLease(tx, id, keyOf('b')))!]),
      () => cancelScan(db, jobs, scan),
      async () => {},
    );
    expect(await readLeaseGroup(db, scan)).toMatchObject({ remaining: 0, cancelled: 2 });
    expect(await readScan(db, scan)).toMatchObject({ status: 'finalizing' });
  });

  it('also ends what a retry adds at the same moment', async () => {
    const scan = await plannedScan(db, source);
    await heldUp(
      async (tx) => {
        await lockLeaseGroup(tx, scan);
        await addShards(tx, scan, await addLeases(tx, scan, [FULL_RANGE]), 'retry');
      },
      () => cancelScan(db, jobs, scan),
      async () => {},
    );
    expect(await readLeaseGroup(db, scan)).toMatchObject({ remaining: 0, cancelled: 1 });
    const { rows } = await db.query('select distinct state from range_lease where group_id = $1', [scan]);
    expect(rows).toEqual([{ state: 'cancelled' }]);
  });

  it('reopens the letters of objects that were to be retried', async () => {
    const scan = await plannedScan(db, source);
    await runOne(scan, ['b']);
    await finalizeScan(db, jobs, scan);
    await retryLetters(db, jobs, { tenant: 'default', scan });
    await cancelScan(db, jobs, scan);
    const letters = await listLetters(db, { tenant: 'default', scan }, { limit: 9 });
    expect(letters).toMatchObject([{ path: 'b', state: 'open' }]);
  });
});

describe('resuming', () => {
  it('a scan that has ended meanwhile keeps the status and error of its end', async () => {
    const scan = await plannedScan(db, source);
    const before = (await readScan(db, scan))!;
    await runOne(scan, ['b']);
    await finalizeScan(db, jobs, scan);
    await resumeScan(db, jobs, before, null, 'old');
    expect(await readScan(db, scan)).toMatchObject({
      status: 'incomplete',
      error: '1 object could not be read',
    });
  });
});

describe('retrying', () => {
  it('a letter of a scan that is about to end keeps it open, and it ends once', async () => {
    const scan = await plannedScan(db, source);
    await runOne(scan, ['b']);
    expect(await readScan(db, scan)).toMatchObject({ status: 'finalizing' });
    await retryLetters(db, jobs, { tenant: 'default', scan });
    await finalizeScan(db, jobs, scan); // sent before
    expect(await readScan(db, scan)).toMatchObject({ status: 'running', finishedAt: null });
  });

  it('is not deleted by the roll-up of old scans', async () => {
    await repeatWhile('roll-ups', async () => (await db.tx((tx) => rollUpLedgers(tx, 0))) !== null); // of previous tests
    const scan = await plannedScan(db, source, TWO);
    for (let i = 0; i < 2; i++) await runOne(scan);
    await finalizeScan(db, jobs, scan);
    await db.tx(async (tx) => {
      await reopenScan(tx, scan);
      expect(await db.tx((other) => rollUpLedgers(other, 0))).toBeNull();
    });
  });
});

describe('a shard whose scan was paused', () => {
  const always: Pacer = { size: 8, sinceLastMs: 0, due: true, passed() {} };

  it('is revoked from its holder when the scan is resumed meanwhile: objects were left out', async () => {
    const scan = await plannedScan(db, source);
    // Its holders crashed repeatedly: every object is processed alone, after a checkpoint.
    await db.query(
      `update range_lease set claims_since_progress = 2, reserved_up_to = 'c' where group_id = $1`,
      [scan],
    );
    let writes = 0;
    const pausing: Database = {
      ...db,
      tx: async (work) => {
        const mine = ++writes;
        if (mine === 2) await pauseScan(db, scan, 'paused');
        const result = await db.tx(work);
        if (mine === 2) await resumeScan(db, jobs, (await readScan(db, scan))!, null, 'old');
        return result;
      },
    };
    expect(await runOne(scan, [], { db: pausing, pacer: () => always })).toBe('lost');
    expect(await runOne(scan)).toBe('completed');
    expect(await coverageSums(db, scan)).toEqual({ listed: 3, ledgered: 3, dead: 0 });
  });
});
