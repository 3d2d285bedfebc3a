/**
 * Removes old scans, a few rows in each transaction.
 *
 *   ended long ago → its row in `scan` is deleted: it disappears from all queries at once; a trigger adds it to `scan_removal`
 *                  → rows of the big tables are deleted in chunks, by any process → lease group, history and the row in `scan_removal` last
 *
 * A crash between two chunks costs nothing: the next one continues with what is left. No rows are added meanwhile: what is written for a
 * scan is written from its row, under a lease that has not ended; the big tables have no foreign key to `scan`, all others have.
 */
import { maybeOne, one, type Tx } from '../../db/database.ts';
import { hideHistory, removeHistory } from '../lifecycle/scan-event-store.ts';

/** Approximate number of rows per transaction. */
export const ROWS_AT_ONCE = 10_000;
/** Fewer, because each has rows in `finding`, which are deleted as well. */
const OBJECTS_AT_ONCE = 2_000;
/** Fewer, because blocks are large. */
const BLOCKS_AT_ONCE = 500;

interface OldScan {
  readonly tenant: string;
  readonly id: number;
}

/**
 * Conditions that keep a scan: it is the newest ended one of its source, a scan that has not ended needs
 * its inventory, or a hook waits.
 */
const IS_REMOVABLE = `
  not exists (select from scan later where later.parent_scan = scan.id and later.finished_at is null)
  and not exists (select from scan_hook where scan_hook.scan_id = scan.id and scan_hook.state = 'waiting')
  and exists (select from scan newer
              where newer.tenant = scan.tenant and newer.source = scan.source and newer.id > scan.id
                and hashtextextended(newer.source, 0) = hashtextextended(scan.source, 0)
                and newer.finished_at is not null)`;

/**
 * Detaches the oldest removable scan of those marked by `markSuperseded`. Returns false if there is none,
 * or if it has become needed meanwhile.
 */
export async function detachOldScan(tx: Tx, olderThanMs: number): Promise<boolean> {
  const scan = await lockOldScan(tx, olderThanMs);
  if (scan === null || !(await lockDependents(tx, scan.id)) || !(await deleteScan(tx, scan.id))) return false;
  await hideHistory(tx, scan);
  return true;
}

/** Locked, so that no new scan can be based on it: `findBase` locks what it returns. */
function lockOldScan(tx: Tx, olderThanMs: number): Promise<OldScan | null> {
  return maybeOne<OldScan>(
    tx,
    `select scan.tenant, scan.id from scan join lease_group on lease_group.id = scan.id
     where superseded and finished_at < clock() - $1 * interval '1 millisecond' and ${IS_REMOVABLE}
     order by finished_at
     limit 1
     for update of lease_group, scan skip locked`,
    [olderThanMs],
  );
}

/**
 * Locks the scans that are based on it, whose reference is cleared: none of them can be reopened meanwhile.
 * Returns false if one is locked.
 */
async function lockDependents(tx: Tx, base: number): Promise<boolean> {
  const { free } = await one<{ free: boolean }>(
    tx,
    `with ended as (
       select id from scan where parent_scan = $1 and finished_at is not null for no key update skip locked)
     select (select count(*) from ended) = (select count(*) from scan where parent_scan = $1) as free`,
    [base],
  );
  return free;
}

/**
 * Checks the conditions again after the lock: the statement that selected the scan has not seen later
 * commits.
 */
async function deleteScan(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(`delete from scan where id = $1 and ${IS_REMOVABLE}`, [id]);
  return rowCount === 1;
}

interface Removal {
  readonly id: number;
  readonly tenant: string;
  readonly objectsFrom: Buffer;
}

/** Deletes one chunk of one detached scan. Returns false if nothing is left of any. */
export async function removeDetached(tx: Tx): Promise<boolean> {
  const removal = await maybeOne<Removal>(
    tx,
    `select scan_id as id, tenant, objects_from as "objectsFrom" from scan_removal
     order by scan_id limit 1 for update skip locked`,
  );
  if (removal === null) return false;
  for (const removeSome of [
    removeObjects,
    removeBlocks,
    removeLines,
    removeLetters,
    removeKeys,
    removeLeases,
  ]) {
    if ((await removeSome(tx, removal)) > 0) return true;
  }
  if (await removeHistory(tx, removal, ROWS_AT_ONCE)) return true;
  await tx.query('delete from lease_group where id = $1', [removal.id]);
  await tx.query('delete from scan_removal where scan_id = $1', [removal.id]);
  return true;
}

/**
 * Deletes objects with their findings, few enough to bound the findings, too. In listing order, which is
 * about the order of insertion, so that neighbours are on the same pages. Continues where the last chunk
 * ended, so that dead rows are not scanned again.
 */
async function removeObjects(tx: Tx, { id, objectsFrom }: Removal): Promise<number> {
  const { rows } = await tx.query<{ gone: number }>(
    `with page as (
       select id, substring(key from 1 for 1024) as start,
              row_number() over (order by substring(key from 1 for 1024)) as n
       from object_result as object where scan_id = $1 and substring(key from 1 for 1024) >= $2
       order by substring(key from 1 for 1024) limit ${OBJECTS_AT_ONCE}),
     counted as (
       select page.id, page.start, page.n, sum(1 + findings.n) over (order by page.n) as rows
       from page, lateral (select count(*) as n from finding where object_id = page.id) findings),
     chosen as (select id, start from counted where rows <= ${ROWS_AT_ONCE} or n = 1),
     place as (
       update scan_removal set objects_from = (select max(start) from chosen)
       where scan_id = $1 and exists (select from chosen)),
     gone as (delete from object_result as object using chosen where object.id = chosen.id returning 1)
     select count(*) as gone from gone`,
    [id, objectsFrom],
  );
  return rows[0]!.gone;
}

async function removeBlocks(tx: Tx, { id }: Removal): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from inventory_block where ctid = any(array(
       select ctid from inventory_block where scan_id = $1 limit ${BLOCKS_AT_ONCE}))`,
    [id],
  );
  return rowCount;
}

async function removeLines(tx: Tx, { id }: Removal): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from ledger where ctid = any(array(select ctid from ledger where scan_id = $1 limit ${ROWS_AT_ONCE}))`,
    [id],
  );
  return rowCount;
}

async function removeLetters(tx: Tx, { id }: Removal): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from dead_letter where id in (select id from dead_letter where scan_id = $1 limit ${ROWS_AT_ONCE})`,
    [id],
  );
  return rowCount;
}

function removeKeys(tx: Tx, { id }: Removal): Promise<number> {
  return removeRetryKeys(tx, id);
}

/** Deletes the keys of retried objects, of which a single lease may have very many. */
export async function removeRetryKeys(tx: Tx, scan: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from retry_key where ctid = any(array(
       select retry_key.ctid from range_lease as lease join retry_key on retry_key.lease_id = lease.id
       where lease.group_id = $1 limit ${ROWS_AT_ONCE}))`,
    [scan],
  );
  return rowCount;
}

/** With their shards and hints: about three rows each. */
async function removeLeases(tx: Tx, { id }: Removal): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from range_lease where id in (
       select id from range_lease where group_id = $1 order by id limit ${ROWS_AT_ONCE / 4})`,
    [id],
  );
  return rowCount;
}
