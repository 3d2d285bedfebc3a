import { errorGroupKey } from '../../base/error-group-key.ts';
import { displayKey } from '../../base/key.ts';
import type { Tx } from '../../db/database.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';

/**
 * Adds a letter for a shard that failed repeatedly: the rest of its range is a gap in the scan until it is
 * retried.
 */
export async function addDeadShard(tx: Tx, held: HeldLease, reason: string): Promise<void> {
  const from = held.cursor === '' ? 'the beginning' : displayKey(held.cursor);
  const to = held.upTo === null ? 'the end' : displayKey(held.upTo);
  await tx.query(
    `insert into dead_letter (tenant, scan_id, kind, lease_id, path, signature, reason, evidence, created_at)
     select tenant, id, 'shard', $2, $3, $4, $5, jsonb_build_object('attempts', $6::integer), clock()
     from scan where id = $1`,
    [
      held.work,
      held.id,
      `everything after ${from}, up to ${to}`,
      errorGroupKey(reason),
      reason,
      held.claimsSinceProgress,
    ],
  );
}
