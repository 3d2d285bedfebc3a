/**
 * Leadership: one of the workers does the housekeeping. It is a lease like any other, renewed while duties run, and its token
 * is the fence: what a leader writes stands in a transaction that first makes sure that it still leads. A leader that was
 * paused and deposed meanwhile writes nothing. No scan ever waits for a leader.
 */
import { type PollingLoop, startPollingLoop } from '../../base/polling-loop.ts';
import type { Database, Tx } from '../../db/database.ts';
import { claimLease } from '../leases/claim-store.ts';
import type { HeldLease } from '../leases/lease.ts';
import { fenceParams, releaseLease, renewLease } from '../leases/lease-store.ts';

/** Runs work in a transaction of the leader; null when it leads no more, and then nothing was written. */
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
  let last = Number.NEGATIVE_INFINITY;
  let duties: Promise<void> | null = null;
  const request = { kind: 'leader', work: null, holder: options.worker, ttlMs: options.ttlMs };

  async function step(): Promise<number> {
    try {
      if (held === null) held = await claimLease(db, request);
      else if (!(await renewLease(db, held, options.ttlMs))) held = null;
      if (held !== null) begin(held);
    } catch (error) {
      options.onError?.(error); // the database is away: the lease runs out by itself
    }
    return options.ttlMs / 3;
  }

  /** Beside the renewals: duties may take longer than a lease. */
  function begin(leading: HeldLease): void {
    if (duties !== null || performance.now() - last < options.everyMs) return;
    duties = options
      .duties((work) => asLeader(db, leading, work))
      .catch((error) => options.onError?.(error))
      .finally(() => {
        last = performance.now();
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
      const leading = held;
      held = null;
      if (leading) await db.tx((tx) => releaseLease(tx, leading)).catch(() => {});
    },
  };
}

async function asLeader<T>(db: Database, held: HeldLease, work: (tx: Tx) => Promise<T>): Promise<T | null> {
  return db.tx(async (tx) => ((await isStillLeader(tx, held)) ? work(tx) : null));
}

/** Locks the lease until the transaction ends: nobody takes over between this answer and the commit. */
async function isStillLeader(tx: Tx, held: HeldLease): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from lease
     where id = $1 and token = $2 and claim_id = $3 and state = 'held' and expires_at >= clock()
     for update`,
    fenceParams(held),
  );
  return rowCount === 1;
}
