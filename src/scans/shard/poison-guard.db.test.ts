import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, shardDeps } from '../../../test/support/scan.ts';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { type Database, many } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { InspectionQueue } from '../detect/scan-queue.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { readLedger } from '../results/report-store.ts';
import { runShard } from '../run-shard.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const never = new AbortController().signal;

/** A shard whose holders crashed repeatedly, so that its only object is processed in isolation. */
async function suspiciousShard() {
  const source = createMemorySource({ slow: 'nothing to see' }, { id: `memory:${randomUUID()}` });
  const scan = await plannedScan(db, source);
  const { jobs } = recordingJobs(db);
  return {
    scan,
    async run(signal: AbortSignal, queue: InspectionQueue = inspectInProcess(source)) {
      await db.query(`update range_lease set state = 'waiting', holder = null where group_id = $1`, [scan]);
      const lease = await claimLease(db, { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 });
      const held: HeldLease = { ...lease!, claimsSinceProgress: 3, previousReservedUpTo: keyOf('slow') };
      return runShard(held, shardDeps(db, source, jobs, { queue }), signal);
    },
    /** A pool that never returns the result of a submitted object. */
    silent: (given: () => void): InspectionQueue => ({ ...inspectInProcess(source), submit: given }),
    named: async () =>
      (
        await many<{ attempts: number }>(db, 'select attempts from crash_suspect where scan_id = $1', [scan])
      ).map(({ attempts }) => attempts),
  };
}

describe('an object that is processed in isolation', () => {
  it('is not blamed for a holder that was stopped, however often', async () => {
    const { scan, run, silent, named } = await suspiciousShard();
    for (let turn = 0; turn < 4; turn++) {
      const stop = new AbortController();
      expect(
        await run(
          stop.signal,
          silent(() => stop.abort()),
        ),
      ).toBe('released');
      expect(await named()).toEqual([0]);
    }
    expect(await run(never)).toBe('completed');
    expect(await readLedger(db, scan)).toMatchObject([{ outcome: 'scanned', objects: 1 }]);
    expect(await named()).toEqual([]);
  });

  it('is not blamed for an outage of the source', async () => {
    const { run, silent, named } = await suspiciousShard();
    let fault: SeineError | null = null;
    const away: InspectionQueue = {
      ...silent(() => {
        fault = new SeineError('unavailable', 'the store is away');
      }),
      get fault() {
        return fault;
      },
    };
    await expect(run(never, away)).rejects.toThrow('the store is away');
    expect(await named()).toEqual([0]);
  });
});
