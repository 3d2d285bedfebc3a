/** Ways to claim and complete one unit of work: leases, jobs, and a third-party queue on the same server. */
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Logger, makeWorkerUtils, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { type Key, keyFromBytes } from '../../src/base/key.ts';
import type { Database } from '../../src/db/database.ts';
import { claimJob, completeJob, insertJob } from '../../src/engine/jobs/job-store.ts';
import { claimLease, claimLeases } from '../../src/engine/leases/claim-store.ts';
import { createLeaseGroup } from '../../src/engine/leases/lease-group-store.ts';
import { addLeases, completeLeases } from '../../src/engine/leases/lease-store.ts';

export interface Queue {
  readonly name: string;
  readonly claimsOneAtATime?: boolean;
  /** Puts so many pieces of work there; what there was is gone. */
  fill(pieces: number): Promise<void>;
  /** Claims and completes them all, one at a time or `batch` at once. The seconds it took. */
  drain(pieces: number, concurrency: number, batch: number): Promise<number>;
  close(): Promise<void>;
}

const KIND = 'bench';
const AT_ONCE = 1000;

/** The leases belong to so many works, as shards belong to scans. */
export function leaseQueue(db: Database, works: number): Queue {
  const wanted = () => ({ kind: KIND, groupId: null, holder: randomUUID(), ttlMs: 60_000 });
  return {
    name: works === 1 ? 'seine, shards of one scan' : `seine, shards of ${works} scans`,
    async fill(pieces) {
      await db.query('delete from lease_group where kind = $1', [KIND]);
      const keys = Array.from({ length: pieces / works }, (_, n) => keyFromBytes(Buffer.from(`${1e9 + n}`)));
      const ranges = keys.map((upTo, n) => ({ after: keys[n - 1] ?? ('' as Key), upTo }));
      for (let n = 0; n < works; n++) {
        await db.tx(async (tx) => {
          await addLeases(
            tx,
            await createLeaseGroup(tx, { tenant: 'default', kind: KIND, priority: 0 }),
            ranges,
          );
        });
      }
    },
    drain: (_, concurrency, batch) =>
      timed(concurrency, async () => {
        const mine = wanted();
        for (;;) {
          const one = batch === 1 ? await claimLease(db, mine) : null;
          const some = batch === 1 ? (one === null ? [] : [one]) : await claimLeases(db, mine, batch);
          if (some.length === 0) return;
          await db.tx((tx) => completeLeases(tx, some));
        }
      }),
    async close() {
      await db.query('delete from lease_group where kind = $1', [KIND]);
    },
  };
}

export function jobQueue(db: Database): Queue {
  return {
    name: 'seine, jobs',
    claimsOneAtATime: true,
    async fill(pieces) {
      await db.query('delete from job where queue = $1', [KIND]);
      await db.tx(async (tx) => {
        for (let n = 0; n < pieces; n++)
          await insertJob(tx, { queue: KIND, args: { n }, afterMs: 0, priority: 0, uniqueKey: null });
      });
    },
    drain: (_, concurrency) =>
      timed(concurrency, async () => {
        for (
          let job = await claimJob(db, [KIND], 60_000);
          job !== null;
          job = await claimJob(db, [KIND], 60_000)
        )
          await completeJob(db, job);
      }),
    async close() {
      await db.query('delete from job where queue = $1', [KIND]);
    },
  };
}

/** It has a loop of its own, so it is measured from its first job to its last. */
export async function graphileQueue(url: string, connections: number): Promise<Queue> {
  const pgPool = new pg.Pool({ connectionString: url, max: connections });
  pgPool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  const shared = { pgPool, logger: new Logger(() => () => {}) };
  const tools = await makeWorkerUtils(shared);
  await tools.migrate();
  return {
    name: 'graphile-worker',
    async fill(pieces) {
      for (let n = 0; n < pieces; n += AT_ONCE) {
        const some = Array.from({ length: Math.min(AT_ONCE, pieces - n) }, (_, i) => n + i);
        await tools.addJobs(some.map((payload) => ({ identifier: KIND, payload: { n: payload } })));
      }
    },
    async drain(pieces, concurrency, batch) {
      const events: WorkerEvents = new EventEmitter();
      const taken = lifetime(events, pieces);
      const batches = { localQueue: { size: batch }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
      const worker = { concurrentJobs: concurrency, ...(batch > 1 && batches) };
      const taskList: TaskList = { [KIND]: async () => {} };
      const runner = await run({ ...shared, events, taskList, noHandleSignals: true, preset: { worker } });
      const seconds = await taken;
      await runner.stop();
      return seconds;
    },
    async close() {
      await tools.release();
      await pgPool.end();
    },
  };
}

function lifetime(events: WorkerEvents, pieces: number): Promise<number> {
  let began: number | null = null;
  let done = 0;
  events.on('job:start', () => {
    began ??= performance.now();
  });
  return new Promise((resolve) => {
    events.on('job:complete', () => {
      if (++done === pieces) resolve((performance.now() - began!) / 1000);
    });
  });
}

async function timed(concurrency: number, loop: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await Promise.all(Array.from({ length: concurrency }, loop));
  return (performance.now() - began) / 1000;
}
