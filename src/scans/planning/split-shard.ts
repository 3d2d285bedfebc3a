/** Splits a shard: the lease, its counters and its hints, in one transaction. */
import type { Key } from '../../base/key.ts';
import { type KeyCodec, PLAIN_KEYS } from '../../base/sealed-key.ts';
import type { Database, Tx } from '../../db/database.ts';
import { splitLeaseAt } from '../../engine/leases/split-store.ts';
import { notifyWorkers } from '../../engine/workers/work-channel.ts';
import { withScanEvents } from '../lifecycle/scan-events.ts';
import { addShards } from '../shard/shard-store.ts';
import { mergeHints, type SplitHint, storableHint } from './split-hint.ts';
import { writeSplitHint } from './split-hint-store.ts';

export interface SplitRequest {
  readonly splitPoints: readonly Key[];
  /**
   * One for each part between the split points, if available; the first is for the part that the holder
   * keeps.
   */
  readonly hints: readonly SplitHint[];
}

/**
 * `ownClaims`: how many of the parts the caller will claim itself. Other workers are notified of the rest.
 * Returns how many parts were split off: fewer than requested when the holder has made progress, none when
 * it has passed all split points.
 */
export function splitShard(
  db: Database,
  scan: number,
  lease: number,
  { splitPoints, hints }: SplitRequest,
  ownClaims = 0,
  storage: KeyCodec = PLAIN_KEYS,
): Promise<number> {
  if (splitPoints.length === 0) return Promise.resolve(0);
  return withScanEvents(db, async (tx, appendEvent) => {
    const added = await splitLeaseAt(tx, lease, splitPoints, storage);
    if (added.length === 0) return 0;
    const into = added.map(({ id }) => id);
    await addShards(tx, scan, into);
    if (hints.length > 0) {
      const storable = hints.map((hint) => storableHint(hint, storage));
      await writeHints(tx, lease, added, { splitPoints, hints: storable });
    }
    if (added.length > ownClaims) await notifyWorkers(tx, added.length - ownClaims);
    appendEvent(scan, { type: 'split', shard: lease, into });
    return added.length;
  });
}

async function writeHints(
  tx: Tx,
  lease: number,
  added: readonly { id: number; after: Key }[],
  { splitPoints, hints }: SplitRequest,
): Promise<void> {
  const first = splitPoints.indexOf(added[0]!.after);
  await writeSplitHint(tx, lease, mergeHints(hints.slice(0, first + 1)), 0);
  for (const { id, after } of added) await writeSplitHint(tx, id, hints[splitPoints.indexOf(after) + 1]!, 0);
}
