/**
 * Leases: the exclusive, expiring, fenced right to move a cursor through a range of keys.
 *
 *            claim                    complete
 *   waiting ───────▶ held ──────────────────────▶ done
 *      ▲              │ │ fail, attempts used up
 *      │   release,   │ └────────────────────────▶ failed
 *      └──────────────┘
 *        fail, back-off        (held and expired: claimed again, with the next token; of very many held ones
 *                               the expired are put back first, see recount-store.ts)
 *
 * Invariant: the ranges of a group's leases never overlap and never leave a gap, and what is left of one is always
 * `(cursor, upTo]`. Only the holder of the newest token moves the cursor; every write that depends on the lease
 * is in the transaction of a checkpoint that was accepted.
 *
 * Reserved: the holder announces at each checkpoint how far it may process until the next one. Any worker may split
 * beyond that position; the holder learns the new `upTo` at its next checkpoint and never waits for a split.
 *
 * Crash: the lease expires, the next claim takes a higher token and starts at the cursor. Work of the dead holder
 * beyond it was never written and is repeated. A holder that was only suspended finds its token outdated:
 * `checkpoint` returns null and it must drop its results. If an acknowledgement is lost, the checkpoint
 * is retried with the same sequence number and recognised.
 *
 * Lost commits: when a server fails over to a replica that lags, or recovers to an earlier point, a claim may be undone while its holder
 * still works, and the next claim draws the same token. The claim id, a random UUID, tells the two apart: every write of a holder must
 * match token and claim id. Without it the second holder's checkpoint would pass for a repetition of the first one's.
 *
 * Cancel: all leases of the group end at their cursors, held ones too. The holder finds its token invalid at its next
 * checkpoint, as if it had lost the lease.
 *
 * Only the database's clock decides when a lease expires. If it is set back by more than two minutes, leases that were renewed before count
 * as expired: live holders find out at their next checkpoint, and no lease waits for the clock to catch up.
 */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';

/** Keys are in their stored form, unless `unsealLease` has opened them. */
export interface HeldLease {
  readonly id: number;
  /** The lease group: a scan, a partitioned workflow, a projection, or the leader election. */
  readonly groupId: number;
  readonly fencingToken: number;
  /** Random, new for each claim. */
  readonly claimId: string;
  readonly checkpointSeq: number;
  readonly cursor: Key;
  readonly upTo: Key | null;
  /**
   * How far the previous holder may have processed: if it crashed, the cause is in `(cursor,
   * previousReservedUpTo]`.
   */
  readonly previousReservedUpTo: Key;
  /** Claims since the cursor last moved; 1 for a fresh one. */
  readonly claimsSinceProgress: number;
  /** Runs that ended with an error since the cursor last moved. */
  readonly errorsSinceProgress: number;
  /** The group was paused since the last checkpoint: the holder must release the lease. */
  readonly paused: boolean;
}

/** The same lease with its keys decrypted. */
export function unsealLease(held: HeldLease, storage: KeyCodec): HeldLease {
  return {
    ...held,
    cursor: storage.open(held.cursor),
    upTo: held.upTo === null ? null : storage.open(held.upTo),
    previousReservedUpTo: storage.open(held.previousReservedUpTo),
  };
}

/** The unprocessed rest of the lease's range. */
export function remainingRange(held: HeldLease): Range {
  return { after: held.cursor, upTo: held.upTo };
}
