import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan, recordingJobs, workerDeps } from '../../../test/support/scan.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { keyOf } from '../../base/key.ts';
import { type Database, one } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { checkpointLease, releaseLease } from '../../engine/leases/lease-store.ts';
import { startWorkerRegistration } from '../../engine/workers/worker.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { listLetters } from '../dead-letters/letter-store.ts';
import { retryLetters } from '../dead-letters/retry.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { runScan } from '../run-scan.ts';
import type { ShardEnd } from '../run-shard.ts';
import type { WorkerContext } from '../worker-context.ts';
import { beginShardRun } from './crash-limit.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

const never = new AbortController().signal;
/** More runs than any shard gets without progress. */
const MANY = 25;

async function shardInScan() {
  const source = createMemorySource({ a: 'x', b: 'y' }, { id: `memory:${randomUUID()}` });
  const scan = await plannedScan(db, source);
  const { jobs, sent } = recordingJobs(db);
  const context = () => workerDeps(db, source, jobs, { concurrency: 1 });
  return { scan, jobs, sent, context };
}

async function leaseOf(scan: number): Promise<{ state: string; attempts: number; token: number }> {
  return one(
    db,
    'select state, claims_since_progress as attempts, fencing_token as token from range_lease where group_id = $1',
    [scan],
  );
}

const expire = (scan: number) =>
  db.query(
    `update range_lease set expires_at = now() - interval '1 second' where group_id = $1 and state = 'held'`,
    [scan],
  );

function claim(scan: number, holder: string): Promise<HeldLease | null> {
  return claimLease(db, { kind: SHARD, groupId: scan, holder, ttlMs: 60_000 });
}

/**
 * Claims the shard and runs it with `run`; if that does not end, the lease expires. Returns null if it
 * can't be claimed any more.
 */
async function runOnce(
  { scan, context }: Awaited<ReturnType<typeof shardInScan>>,
  run: (held: HeldLease) => Promise<ShardEnd>,
  worker: string = randomUUID(),
): Promise<HeldLease | null> {
  const held = await claim(scan, worker);
  if (held === null) return null;
  const started = Promise.withResolvers<void>();
  const bounded = runShardWith(held, { ...context(), worker }, () => {
    started.resolve();
    return run(held);
  });
  await Promise.race([started.promise, bounded.catch(() => {})]);
  await Promise.race([bounded.catch(() => {}), new Promise((resolve) => setImmediate(resolve))]);
  await expire(scan);
  return held;
}

/** As the worker loops do. */
async function runShardWith(
  held: HeldLease,
  context: WorkerContext,
  run: () => Promise<ShardEnd>,
): Promise<ShardEnd | 'failed'> {
  const endRun = await beginShardRun(held, context, never);
  if (endRun === null) return 'failed';
  return run().finally(endRun);
}

const dies = () => new Promise<ShardEnd>(() => {});

describe('a shard that crashes its process before any object is started', () => {
  it('fails after some runs: it has a dead letter with the reason, and the scan ends', async () => {
    const { scan, sent, context } = await shardInScan();
    const end = new AbortController();
    const doomed: Promise<unknown>[] = [];
    let runs = 0;
    for (; runs < MANY && (await leaseOf(scan)).state !== 'failed'; runs++) {
      const failed = Promise.withResolvers<void>();
      // The process crashes while it opens the source: this run never reports anything.
      const of = () => {
        failed.resolve();
        end.signal.throwIfAborted();
        return new Promise<never>((_, reject) => end.signal.addEventListener('abort', reject));
      };
      const mine = { ...context(), onError: () => failed.resolve() };
      doomed.push(runScan(scan, { ...mine, contexts: { ...mine.contexts, of } }, end.signal).catch(() => {}));
      await failed.promise;
      await expire(scan);
    }
    end.abort();
    await Promise.all(doomed);
    expect(runs).toBeLessThan(MANY);
    const letters = await listLetters(db, { tenant: 'default', scan }, { limit: 9 });
    expect(letters).toMatchObject([{ kind: 'shard', state: 'open', reason: 'crashed the worker 8 times' }]);
    expect(await sent()).toContainEqual({ name: 'finalize', data: { scan } });
  });

  it('is run again when its dead letter is retried, as often as before', async () => {
    const shard = await shardInScan();
    await repeatWhile('runs of the shard', () => runOnce(shard, dies));
    expect((await leaseOf(shard.scan)).state).toBe('failed');
    await retryLetters(db, shard.jobs, { tenant: 'default', scan: shard.scan, kind: 'shard' });
    let runs = 0;
    runs = await repeatWhile('runs of the shard', () => runOnce(shard, dies));
    expect(runs).toBeGreaterThan(8);
    await retryLetters(db, shard.jobs, { tenant: 'default', scan: shard.scan, kind: 'shard' });
    const stop = new AbortController();
    const ended = runScan(shard.scan, shard.context(), stop.signal);
    const status = async () => (await readScan(db, shard.scan))!.status;
    await expect.poll(status, { message: 'it runs to its end' }).toBe('finalizing');
    stop.abort();
    await ended;
    expect((await leaseOf(shard.scan)).state).toBe('done');
  });

  it('does not fail while it makes progress between two crashes', async () => {
    const shard = await shardInScan();
    for (const key of ['a', 'b', 'c', 'd']) {
      for (let turn = 0; turn < 9; turn++) await runOnce(shard, dies);
      const held = (await claim(shard.scan, randomUUID()))!;
      const to = { cursor: keyOf(key), reserved: keyOf(key), ttlMs: 60_000 };
      expect(await db.tx((tx) => checkpointLease(tx, held, to))).not.toBeNull();
      await expire(shard.scan);
    }
    expect((await leaseOf(shard.scan)).state).toBe('held');
  });
});

describe('a shard whose runs end without a crash does not fail', () => {
  /** Repeated claims without progress, so that every run is recorded. */
  async function suspicious() {
    const shard = await shardInScan();
    for (let turn = 0; turn < 4; turn++) await runOnce(shard, dies);
    return shard;
  }

  it('when it is released', async () => {
    const shard = await suspicious();
    for (let turn = 0; turn < MANY; turn++) {
      const released = async (held: HeldLease): Promise<ShardEnd> =>
        (await db.tx((tx) => releaseLease(tx, held))) ? 'released' : 'lost';
      const held = await claim(shard.scan, randomUUID());
      expect(await runShardWith(held!, shard.context(), () => released(held!))).toBe('released');
    }
    expect((await leaseOf(shard.scan)).state).toBe('waiting');
  });

  it('when a run throws', async () => {
    const shard = await suspicious();
    for (let turn = 0; turn < MANY; turn++) {
      const held = await claim(shard.scan, randomUUID());
      const run = runShardWith(held!, shard.context(), () => Promise.reject(new Error('no answer')));
      await expect(run).rejects.toThrow('no answer');
      await expire(shard.scan);
    }
    expect((await leaseOf(shard.scan)).state).toBe('held');
  });

  it('when leases expire during an outage of the database while their workers are alive', async () => {
    const shard = await suspicious();
    for (let turn = 0; turn < MANY; turn++) {
      const worker = await startWorkerRegistration(db);
      const held = await runOnce(shard, dies, worker.id); // it has not detected the loss of the shard yet
      expect(held).not.toBeNull();
      alive.push(worker);
    }
    expect((await leaseOf(shard.scan)).state).toBe('held');
  });
  const alive: { leave(): Promise<void> }[] = [];
  afterAll(() => Promise.all(alive.map((worker) => worker.leave())));
});
