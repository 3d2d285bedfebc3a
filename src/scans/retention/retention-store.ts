/** Rolls up details of old scans, a little at a time. Removal is in removal-store.ts. */
import type { Tx } from '../../db/database.ts';
import { removeRetryKeys } from './removal-store.ts';

/**
 * Maximum number per transaction: short enough that the leader renews its lease in time, and that row locks
 * are brief.
 */
const LEASES_AT_ONCE = 5_000;

/**
 * Rolls up a scan that ended a while ago: one coverage row per outcome instead of one per shard and
 * outcome; its leases and shards are deleted, with their sums kept in the first of them. Some leases of one
 * scan at a time; the sums are correct after each step. Returns how many leases were deleted; null when
 * there is nothing to do.
 */
export async function rollUpLedgers(tx: Tx, olderThanMs: number): Promise<number | null> {
  const { rows } = await tx.query<{ id: number }>(
    `select scan.id from scan
     where finished_at < clock() - $1 * interval '1 millisecond' and rolled_up is distinct from reopen_count
       and not exists (select 1 from dead_letter where scan_id = scan.id and kind = 'shard' and state = 'open')
     order by finished_at
     limit 1
     for update of scan skip locked`, // so that it is not reopened meanwhile, with a new lease that would be deleted
    [olderThanMs],
  );
  if (!rows[0]) return null;
  const { id } = rows[0];
  const keys = await removeRetryKeys(tx, id);
  if (keys > 0) return keys;
  const gone = await foldLeases(tx, id);
  if (gone < LEASES_AT_ONCE) await markRolledUp(tx, id);
  return gone;
}

async function foldLeases(tx: Tx, scan: number): Promise<number> {
  const { rows } = await tx.query<{ first: number; last: number }>(
    `with first as (select min(lease_id) as id from shard where scan_id = $1),
     page as (
       select lease.id from range_lease as lease, first where group_id = $1 and lease.id > first.id
       order by lease.id limit ${LEASES_AT_ONCE})
     select (select id from first) as first, max(id) as last from page having count(*) > 0`,
    [scan],
  );
  if (!rows[0]) return 0;
  const { first, last } = rows[0];
  await foldLedger(tx, scan, first, last);
  await foldShards(tx, scan, first, last);
  return removeLeases(tx, scan, first, last);
}

/** Adds up the rows of all leases after the first, up to the last. */
async function foldLedger(tx: Tx, scan: number, first: number, last: number): Promise<void> {
  await tx.query(
    `with lines as (delete from ledger where scan_id = $1 and lease_id > $2 and lease_id <= $3 returning *)
     insert into ledger (scan_id, tenant, lease_id, outcome, reason, objects, bytes)
     select scan_id, tenant, $2, outcome, reason, sum(objects), sum(bytes)
     from lines group by scan_id, tenant, outcome, reason
     on conflict (scan_id, lease_id, outcome, reason)
     do update set objects = ledger.objects + excluded.objects, bytes = ledger.bytes + excluded.bytes`,
    [scan, first, last],
  );
}

async function foldShards(tx: Tx, scan: number, first: number, last: number): Promise<void> {
  await tx.query(
    `update shard set listed = shard.listed + gone.listed, bytes_read = shard.bytes_read + gone.bytes_read
     from (select sum(listed) as listed, sum(bytes_read) as bytes_read from shard
           where scan_id = $1 and lease_id > $2 and lease_id <= $3) gone
     where shard.lease_id = $2 and gone.listed is not null`,
    [scan, first, last],
  );
}

async function removeLeases(tx: Tx, scan: number, first: number, last: number): Promise<number> {
  const { rowCount } = await tx.query(
    'delete from range_lease where group_id = $1 and id > $2 and id <= $3',
    [scan, first, last],
  );
  return rowCount;
}

/** Valid until it is reopened, which starts another round. */
async function markRolledUp(tx: Tx, scan: number): Promise<void> {
  await tx.query('delete from ledger where scan_id = $1 and objects = 0', [scan]);
  await tx.query('update scan set rolled_up = reopen_count where id = $1', [scan]);
}
