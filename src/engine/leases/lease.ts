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
 * Invariant: the ranges of a work's leases never overlap and never leave a gap, and what is left of one is always
 * `(cursor, upTo]`. Only the holder of the newest token moves the cursor; every write that depends on the lease
 * stands in the transaction of a checkpoint that was accepted.
 *
 * Reserved: the holder announces at each checkpoint how far it may be busy until the next one. Anybody may split
 * beyond that position; the holder learns the new `upTo` at its next checkpoint and never waits for a split.
 *
 * Crash: the lease expires, the next claim takes a higher token and starts at the cursor. What the dead holder had
 * done beyond it is done again and was never written. A holder that was only paused finds its token outdated:
 * `checkpoint` answers null and it must drop the work. An acknowledgement that was lost is no trouble: the checkpoint
 * is repeated with the same step and recognised.
 *
 * Lost commits: when a server fails over to a replica that lags, or recovers to an earlier point, a claim may be undone while its holder
 * still works, and the next claim draws the same token. The claim id, a random UUID, tells the two apart: every write of a holder must
 * match token and claim id. Without it the second holder's checkpoint would pass for a repetition of the first one's.
 *
 * Cancel: the work's leases end where they stand, held ones too. The holder finds its token worthless at its next
 * checkpoint, as if it had lost the lease.
 *
 * Only the database's clock decides when a lease expires. If it is set back by more than two minutes, leases that were renewed before count
 * as expired: their holders, if they live, find out at their next checkpoint, and no lease waits for the clock to catch up.
 */
import type { Key } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { KeyCodec } from '../../base/sealed-key.ts';

/** Keys as they are stored, unless `unsealLease` has opened them. */
export interface HeldLease {
  readonly id: number;
  readonly work: number;
  readonly fencingToken: number;
  /** Random, one for each claim. */
  readonly claimId: string;
  readonly checkpointSeq: number;
  readonly cursor: Key;
  readonly upTo: Key | null;
  /** How far the previous holder may have been busy: if it crashed, the cause lies in `(cursor, previousReservedUpTo]`. */
  readonly previousReservedUpTo: Key;
  /** Claims since the cursor last moved; 1 for a fresh one. */
  readonly claimsSinceProgress: number;
  /** Runs that ended with an error since the cursor last moved. */
  readonly errorsSinceProgress: number;
  /** The work was paused since: give the lease back. */
  readonly paused: boolean;
}

/** With its keys as they are, not as they are stored. */
export function unsealLease(held: HeldLease, storage: KeyCodec): HeldLease {
  return {
    ...held,
    cursor: storage.open(held.cursor),
    upTo: held.upTo === null ? null : storage.open(held.upTo),
    previousReservedUpTo: storage.open(held.previousReservedUpTo),
  };
}

/** What is left to do. */
export function remainingRange(held: HeldLease): Range {
  return { after: held.cursor, upTo: held.upTo };
}
