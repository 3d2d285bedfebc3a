/** Recorded runs of shards, one function per statement. The rules are described in crash-limit.ts. */
import { keyBytes } from '../../base/key.ts';
import { one, type Queryable } from '../../db/database.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';

/** Number of recorded runs at the current cursor whose worker has had no heartbeat for a minute. */
export async function countCrashes(db: Queryable, held: HeldLease): Promise<number> {
  const { n } = await one<{ n: number }>(
    db,
    `select count(*) as n from shard_attempt
     where lease_id = $1 and cursor = $2
       and not exists (select from worker where worker.id = holder and is_recent(heartbeat_at, 60000))`,
    [held.id, keyBytes(held.cursor)],
  );
  return n;
}

/** Records a run; records from before the last progress are obsolete and deleted. */
export async function recordShardRun(db: Queryable, held: HeldLease, worker: string): Promise<void> {
  await db.query(
    `with outdated as (delete from shard_attempt where lease_id = $1 and cursor <> $4)
     insert into shard_attempt (lease_id, fencing_token, holder, cursor, started_at) values ($1, $2, $3, $4, clock())
     on conflict (lease_id, fencing_token) do update
     set holder = excluded.holder, cursor = excluded.cursor, started_at = excluded.started_at`,
    [held.id, held.fencingToken, worker, keyBytes(held.cursor)],
  );
}

export async function deleteShardRun(db: Queryable, held: HeldLease, worker: string): Promise<void> {
  await db.query('delete from shard_attempt where lease_id = $1 and fencing_token = $2 and holder = $3', [
    held.id,
    held.fencingToken,
    worker,
  ]);
}

export async function deleteShardRuns(db: Queryable, held: HeldLease): Promise<void> {
  await db.query('delete from shard_attempt where lease_id = $1', [held.id]);
}
