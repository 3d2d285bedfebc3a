/**
 * Leader election: one worker runs the housekeeping. Leadership is a lease, renewed while duties run, with
 * its token as the fence: each write of a leader is in a transaction that first checks that it still leads,
 * so a leader that was paused and replaced writes nothing. No scan ever waits for a leader.
 */
import { type PollingLoop, startPollingLoop } from '../../base/polling-loop.ts';
import type { Database, Tx } from '../../db/database.ts';
import { claimLease } from '../leases/claim-store.ts';
import type { HeldLease } from '../leases/lease.ts';
import { fenceParams, releaseLease, renewLease } from '../leases/lease-store.ts';

/**
 * Runs `work` in a transaction that holds the leader's lease; returns null, with nothing written, when it
 * no longer leads.
 */
export type RunAsLeader = <T>(work: (tx: Tx) => Promise<T>) => Promise<T | null>;

export interface LeaderOptions {
  readonly worker: string;
  readonly ttlMs: number;
  /** Pause between two rounds of duties. */
  readonly everyMs: number;
  readonly duties: (lead: RunAsLeader) => Promise<void>;
  readonly onError?: (error: unknown) => void;
}

export interface Leader {
  readonly isLeader: boolean;
  stop(): Promise<void>;
}

export function startLeader(db: Database, options: LeaderOptions): Leader {
  let held: HeldLease | null = null;
  let lastRunAt = Number.NEGATIVE_INFINITY;
  let duties: Promise<void> | null = null;
  const request = { kind: 'leader', groupId: null, holder: options.worker, ttlMs: options.ttlMs };

  async function step(): Promise<number> {
    try {
      if (held === null) held = await claimLease(db, request);
      else if (!(await renewLease(db, held, options.ttlMs))) held = null;
      if (held !== null) startDuties(held);
    } catch (error) {
      options.onError?.(error); // while the database is unreachable the lease expires by itself
    }
    return options.ttlMs / 3;
  }

  /** Runs duties beside the renewals, because they may take longer than a lease. */
  function startDuties(lease: HeldLease): void {
    if (duties !== null || performance.now() - lastRunAt < options.everyMs) return;
    duties = options
      .duties((work) => asLeader(db, lease, work))
      .catch((error) => options.onError?.(error))
      .finally(() => {
        lastRunAt = performance.now();
        duties = null;
      });
  }

  const loop: PollingLoop = startPollingLoop('leader', step);
  return {
    get isLeader() {
      return held !== null;
    },
    async stop() {
      await loop.stop();
      await duties;
      const lease = held;
      held = null;
      if (lease) await db.tx((tx) => releaseLease(tx, lease)).catch(() => {});
    },
  };
}

async function asLeader<T>(db: Database, held: HeldLease, work: (tx: Tx) => Promise<T>): Promise<T | null> {
  return db.tx(async (tx) => ((await isStillLeader(tx, held)) ? work(tx) : null));
}

/**
 * Locks the lease until the transaction ends: no other worker can take over between this check and the
 * commit.
 */
async function isStillLeader(tx: Tx, held: HeldLease): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from range_lease
     where id = $1 and fencing_token = $2 and claim_id = $3 and state = 'held' and expires_at >= clock()
     for update`,
    fenceParams(held),
  );
  return rowCount === 1;
}
