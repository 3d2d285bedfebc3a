/** A failover to a lagging replica undoes the last commits, while the processes that made them continue. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, shardDeps } from '../../../test/support/scan.ts';
import { type Database, one } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import type { Pacer } from '../checkpoint/checkpoint-pacer.ts';
import { Inspector } from '../detect/inspector.ts';
import type { InspectionQueue } from '../detect/scan-queue.ts';
import { finalizeScan } from '../lifecycle/finalize-scan.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { readLedger } from '../results/report-store.ts';
import { runShard } from '../run-shard.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterAll(() => db.close());

const never = new AbortController().signal;
const OBJECTS = 1000;

function people(): MemorySource {
  const contents = Object.fromEntries(
    Array.from({ length: OBJECTS }, (_, i) => [
      `team/${String(i).padStart(5, '0')}.txt`,
      `mail p${i}@example.com`,
    ]),
  );
  return createMemorySource(contents, { id: 'memory:lost-claim', batch: 50 });
}

/** A pacer with a fixed number of objects per checkpoint. */
const every = (size: number) => (): Pacer => ({ size, due: false, sinceLastMs: 0, passed() {} });

/** Objects end as soon as they are submitted, so that every checkpoint has results to write. */
function inspectAtOnce(source: MemorySource): InspectionQueue {
  const secret = Buffer.alloc(32, 7);
  const inspector = new Inspector(source, {
    rules: DEFAULT_RULES,
    secret,
    maxFindingsPerType: 100,
    accepted: [],
  });
  return { ...inspectInProcess(source), submit: (object, done) => done(inspector.inspectSync(object)!) };
}

/** Before its nth transaction this database waits for `gates[n]`, and after it opens `opens[n]`; `last` is the last one it makes. */
function stepped(
  gates: readonly (Promise<void> | null)[],
  opens: readonly (() => void)[],
  last = Number.POSITIVE_INFINITY,
): Database {
  let n = -1;
  return {
    ...db,
    async tx(work) {
      const mine = ++n;
      if (mine > last) return new Promise(() => {}); // its process has crashed
      await gates[mine];
      const answer = await db.tx(work);
      opens[mine]?.();
      return answer;
    },
  };
}

describe('a claim that was undone while its holder continues', () => {
  it('loses no object, although the next claim draws the same token', async () => {
    const source = people();
    const scan = await plannedScan(db, source);
    const { jobs } = recordingJobs(db);
    const claim = () => claimLease(db, { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 });
    const before = await one<Record<string, unknown>>(db, 'select * from range_lease where group_id = $1', [
      scan,
    ]);
    const first = (await claim())!;
    await db.query(
      `update range_lease set state = $2, fencing_token = $3, checkpoint_seq = $4, claims_since_progress = $5, claim_id = null, holder = null, expires_at = null,
                        claimed_at = null
       where id = $1`,
      [before.id, before.state, before.fencing_token, before.checkpoint_seq, before.claims_since_progress],
    );
    const second = (await claim())!;
    expect([second.id, second.fencingToken, second.checkpointSeq]).toEqual([
      first.id,
      first.fencingToken,
      first.checkpointSeq,
    ]);

    const [firstReserved, secondReserved, firstWrote] = [gate(), gate(), gate()];
    const lost = stepped([null, secondReserved.promise], [firstReserved.resolve, firstWrote.resolve], 1);
    const kept = stepped([firstReserved.promise, firstWrote.promise], [secondReserved.resolve]);
    const queue = inspectAtOnce(source);
    const loser = runShard(first, shardDeps(db, source, jobs, { db: lost, queue, pacer: every(10) }), never);
    void loser.catch(() => {}).finally(firstWrote.resolve); // it may stop earlier
    const end = await runShard(
      second,
      shardDeps(db, source, jobs, { db: kept, queue: inspectAtOnce(source), pacer: every(200) }),
      never,
    );
    expect(end).toBe('completed');
    await finalizeScan(db, jobs, scan);
    expect(await readScan(db, scan)).toMatchObject({ status: 'completed' });
    expect(await readLedger(db, scan)).toMatchObject([{ outcome: 'scanned', objects: OBJECTS }]);
  });
});

function gate() {
  return Promise.withResolvers<void>();
}
