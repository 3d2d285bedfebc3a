/** Lease groups: what leases belong to. */
import { SeineError } from '../../base/errors.ts';
import { many, type Queryable, type Tx } from '../../db/database.ts';

export async function createLeaseGroup(
  tx: Tx,
  group: {
    tenant: string;
    kind: string;
    priority: number;
    /** Only workers on this host may claim. */
    hostAffinity?: string | null;
    /** At most `cap` leases of all groups of one quota are held at once. */
    quota?: string | null;
    maxConcurrency?: number | null;
    /** Only workers that offer this may claim. */
    requires?: string | null;
  },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into lease_group (tenant, kind, priority, host_affinity, quota, max_concurrency, requires) values ($1, $2, $3, $4, $5, $6, $7)
     returning id`,
    [
      group.tenant,
      group.kind,
      group.priority,
      group.hostAffinity ?? null,
      group.quota ?? null,
      group.maxConcurrency ?? null,
      group.requires ?? null,
    ],
  );
  return rows[0]!.id;
}

export async function readLeaseGroup(db: Queryable, id: number): Promise<LeaseGroup | null> {
  const { rows } = await db.query<LeaseGroup>(
    'select remaining, failed, cancelled, paused, host_affinity as "hostAffinity", requires from lease_group where id = $1',
    [id],
  );
  return rows[0] ?? null;
}

/** The quota that its rate and its cap are counted by, as determined when the group was created. */
export async function quotaOfLeaseGroup(db: Queryable, id: number): Promise<string | null> {
  const { rows } = await db.query<{ quota: string | null }>('select quota from lease_group where id = $1', [
    id,
  ]);
  return rows[0]?.quota ?? null;
}

export interface LeaseGroup {
  /** Leases that have not ended. */
  readonly remaining: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly paused: boolean;
  /** Null: any worker may claim. */
  readonly hostAffinity: string | null;
  /** Null: any worker may claim. */
  readonly requires: string | null;
}

/**
 * A host's identity may change with a restart: a group with a host affinity moves to the host that resumes
 * it.
 */
export async function updateHostAffinity(db: Queryable, id: number, hostAffinity: string): Promise<void> {
  await db.query('update lease_group set host_affinity = $2 where id = $1 and host_affinity is not null', [
    id,
    hostAffinity,
  ]);
}

/**
 * For callers that hold none of its leases: the end of its last lease commits before this transaction or
 * after it.
 */
export async function lockLeaseGroup(tx: Tx, id: number): Promise<void> {
  await tx.query('select 1 from lease_group where id = $1 for no key update', [id]);
}

/** While paused nothing is claimed, and holders release their leases at their next checkpoint. */
export async function setLeaseGroupPaused(db: Queryable, id: number, paused: boolean): Promise<void> {
  await db.query('update lease_group set paused = $2 where id = $1', [id, paused]);
}

/**
 * Revokes all leases: the fence rejects later writes of their holders. Nothing is claimed before this
 * transaction ends. The revoked claims don't count as attempts, or each resume would push shards towards
 * failure.
 */
export async function revokeLeases(tx: Tx, groupId: number): Promise<void> {
  await tx.query(
    `update range_lease
     set state = 'waiting', holder = null, expires_at = null, fencing_token = fencing_token + 1,
         claims_since_progress = case when expires_at >= clock() then greatest(claims_since_progress - 1, 0) else claims_since_progress end
     where group_id = $1 and state in ('waiting', 'held')`,
    [groupId],
  );
}

/**
 * Ends every lease that has not ended, and returns those that it ended. `holesLeftBy` returns how many of them leave
 * something undone; default: all.
 *
 * Leases are added by a holder of one that has not ended (a split, a checkpoint). So once a statement finds none left,
 * no holder can add another. The row of the group is locked only then: everybody locks leases before their group, so
 * there is no deadlock.
 *
 * Exception: holders of the group lock (`lockLeaseGroup`) may add leases that commit while this waits for that row,
 * after its last read. Then it is rejected with a retryable error, and the transaction must be rolled back.
 */
export async function cancelLeaseGroup(
  tx: Tx,
  id: number,
  countIncomplete: (leases: readonly number[]) => Promise<number> = async ({ length }) => length,
): Promise<readonly number[]> {
  const ended: number[] = [];
  do ended.push(...(await cancelLeases(tx, id)));
  while (await hasOpenLeases(tx, id));
  if (ended.length > 0) {
    await countCancelled(tx, id, ended.length, await countIncomplete(ended));
    if (await hasOpenLeases(tx, id)) throw concurrentAddError();
  }
  return ended;
}

function concurrentAddError(): SeineError {
  return new SeineError('conflict', 'Something was added to the lease group while it was cancelled.', {
    hint: 'Cancel it again.',
    retry: true,
  });
}

/** Cancels the leases visible to this statement; those added while it waits are left to the next one. */
async function cancelLeases(tx: Tx, groupId: number): Promise<number[]> {
  const ended = await many<{ id: number }>(
    tx,
    `update range_lease set state = 'cancelled', holder = null, expires_at = null
     where group_id = $1 and state in ('waiting', 'held')
     returning id`,
    [groupId],
  );
  return ended.map(({ id }) => id);
}

async function hasOpenLeases(tx: Tx, groupId: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from range_lease where group_id = $1 and state in ('waiting', 'held') limit 1`,
    [groupId],
  );
  return rowCount > 0;
}

async function countCancelled(tx: Tx, groupId: number, leases: number, holes: number): Promise<void> {
  await tx.query(
    `update lease_group set remaining = remaining - $2, cancelled = cancelled + $3, paused = false where id = $1`,
    [groupId, leases, holes],
  );
}

/** Makes failed leases claimable again. Returns how many. */
export async function reopenLeases(tx: Tx, groupId: number, leases: readonly number[]): Promise<number> {
  const { rows } = await tx.query<{ n: number }>(
    `with again as (
       update range_lease set state = 'waiting', claims_since_progress = 0, errors_since_progress = 0, not_before = clock(), error = null
       where group_id = $1 and id = any($2::bigint[]) and state = 'failed'
       returning id),
     counted as (select count(*)::integer as n from again)
     update lease_group set remaining = remaining + n, failed = failed - n from counted where lease_group.id = $1
     returning n`,
    [groupId, leases],
  );
  return rows[0]?.n ?? 0;
}

/** The holders of leases of this group, and their expiry by the database's clock. */
export async function holdersOf(
  db: Queryable,
  groupId: number,
): Promise<{ holder: string; host: string; pid: number }[]> {
  const { rows } = await db.query<{ holder: string; host: string; pid: number }>(
    `select distinct lease.holder, worker.host, worker.pid
     from range_lease as lease join worker on worker.id = lease.holder
     where lease.group_id = $1 and lease.state = 'held' and lease.expires_at >= clock()`,
    [groupId],
  );
  return rows;
}
