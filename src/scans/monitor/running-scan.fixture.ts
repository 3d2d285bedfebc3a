/** The rows of a scan with active workers, for tests. */
import { randomUUID } from 'node:crypto';
import { FULL_RANGE, type Range } from '../../base/range.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { createLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { addRanges } from '../shard/shard-store.ts';

export async function runningScan(
  db: Database,
  ranges: readonly Range[] = [FULL_RANGE],
  { tenant = 'default', source = 'sim:sea' } = {},
): Promise<number> {
  return db.tx(async (tx) => {
    const id = await createLeaseGroup(tx, { tenant, kind: 'shard', priority: 0 });
    await tx.query(
      `insert into scan (id, tenant, source, target, scope, scope_hash, rules, rules_hash, max_findings_per_type, inventory_key,
                         status, created_at)
       values ($1, $2, $3, 'sea', '{}', 'all', '{}', '', 100, '', 'running', clock())`,
      [id, tenant, source],
    );
    await addRanges(tx, id, ranges);
    return id;
  });
}

export async function newWorker(
  db: Queryable,
  { host = 'pier/boot/pid', hands = 1, seenSeconds = 0 } = {},
): Promise<string> {
  const id = randomUUID();
  await db.query(
    `insert into worker (id, host, pid, concurrency, started_at, heartbeat_at, progressed_at)
     values ($1, $2, 41, $3, clock() - interval '100 seconds', clock() - $4 * interval '1 second', clock())`,
    [id, host, hands, seenSeconds],
  );
  return id;
}

export async function endScanAs(db: Queryable, scan: number, status: string): Promise<void> {
  await db.query('update scan set status = $2, finished_at = clock() where id = $1', [scan, status]);
}
