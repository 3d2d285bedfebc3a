/** Forgetting what nobody asks for any more, a little at a time. A scan that somebody opens again just now is left for later. */
import { many, type Tx } from '../db/database.ts';
import { removeStories } from './scan-event-store.ts';

const SCANS_AT_ONCE = 10;

/**
 * A scan that ended a while ago keeps one line per outcome instead of one per shard and outcome; its leases and shards go, with
 * their sums kept in the first of them. How many scans were rolled up.
 */
export async function rollUpLedgers(tx: Tx, olderThanMs: number): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `select scan.id from scan
     where finished_at < clock() - $1 * interval '1 millisecond'
       and exists (select 1 from lease where work_id = scan.id offset 1)
       and not exists (select 1 from dead_letter where scan_id = scan.id and kind = 'shard' and state = 'open')
     order by scan.id
     limit ${SCANS_AT_ONCE}
     for update of scan skip locked`, // nobody opens it again meanwhile, and adds a lease that would be swept away
    [olderThanMs],
  );
  for (const { id } of rows) {
    await foldLedger(tx, id);
    await foldShards(tx, id);
  }
  return rows.length;
}

async function foldLedger(tx: Tx, scan: number): Promise<void> {
  await tx.query(
    `with lines as (delete from ledger where scan_id = $1 returning *)
     insert into ledger (scan_id, tenant, lease_id, outcome, reason, objects, bytes)
     select scan_id, tenant, min(lease_id), outcome, reason, sum(objects), sum(bytes)
     from lines group by scan_id, tenant, outcome, reason
     having sum(objects) <> 0`,
    [scan],
  );
}

async function foldShards(tx: Tx, scan: number): Promise<void> {
  await tx.query(
    `with kept as (
       select min(lease_id) as lease_id, sum(listed) as listed, sum(bytes_read) as bytes_read
       from shard where scan_id = $1)
     update shard set listed = kept.listed, bytes_read = kept.bytes_read
     from kept where shard.lease_id = kept.lease_id`,
    [scan],
  );
  await tx.query(
    `delete from lease
     where work_id = $1 and id > (select min(lease_id) from shard where scan_id = $1)`,
    [scan],
  );
}

/** With everything that belongs to them, unless a scan that has not ended needs their inventory. How many. */
export async function removeOldScans(tx: Tx, olderThanMs: number): Promise<number> {
  const gone = await many<{ tenant: string; id: number }>(
    tx,
    `delete from work
     where id in (
       select scan.id from scan join work on work.id = scan.id
       where finished_at < clock() - $1 * interval '1 millisecond'
         and not exists (select 1 from scan later where later.base_scan = scan.id and later.finished_at is null)
         and exists (select 1 from scan newer
                     where newer.tenant = scan.tenant and newer.source = scan.source and newer.id > scan.id
                       and hashtextextended(newer.source, 0) = hashtextextended(scan.source, 0)
                       and newer.finished_at is not null)
       order by scan.id
       limit ${SCANS_AT_ONCE}
       for update of work, scan skip locked)
     returning tenant, id`,
    [olderThanMs],
  );
  if (gone.length > 0) await removeStories(tx, gone);
  return gone.length;
}
