/** Splitting a shard: the lease, its counters and what is known of the parts, in one transaction. */
import type { Key } from '../../base/key.ts';
import { type KeyStorage, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Database, Tx } from '../../db/database.ts';
import { splitLeaseAt } from '../../engine/leases/split-store.ts';
import { tellWorkers } from '../../engine/workers/work-channel.ts';
import { telling } from '../scan-events.ts';
import { addShards } from '../shard-store.ts';
import { type Hint, joined, storableHint } from './hint.ts';
import { writeHint } from './hint-store.ts';

export interface WantedSplit {
  readonly cuts: readonly Key[];
  /** Of each part between the cuts, if anything is known; the first is what the holder keeps. */
  readonly hints: readonly Hint[];
}

/**
 * `ownClaims`: how many of the parts the caller is about to claim. Other workers are notified of the rest.
 * Returns how many parts were split off: fewer than wanted when the holder has gone on, none when it has passed all cuts.
 */
export function splitShard(
  db: Database,
  scan: number,
  lease: number,
  { cuts, hints }: WantedSplit,
  ownClaims = 0,
  storage: KeyStorage = PLAIN_KEYS,
): Promise<number> {
  if (cuts.length === 0) return Promise.resolve(0);
  return telling(db, async (tx, tell) => {
    const added = await splitLeaseAt(tx, lease, cuts, storage);
    if (added.length === 0) return 0;
    const into = added.map(({ id }) => id);
    await addShards(tx, scan, into);
    if (hints.length > 0) {
      const storable = hints.map((hint) => storableHint(hint, storage));
      await leaveHints(tx, lease, added, { cuts, hints: storable });
    }
    if (added.length > ownClaims) await tellWorkers(tx, added.length - ownClaims);
    tell(scan, { type: 'split', shard: lease, into });
    return added.length;
  });
}

async function leaveHints(
  tx: Tx,
  lease: number,
  added: readonly { id: number; after: Key }[],
  { cuts, hints }: WantedSplit,
): Promise<void> {
  const first = cuts.indexOf(added[0]!.after);
  await writeHint(tx, lease, joined(hints.slice(0, first + 1)), 0);
  for (const { id, after } of added) await writeHint(tx, id, hints[cuts.indexOf(after) + 1]!, 0);
}
