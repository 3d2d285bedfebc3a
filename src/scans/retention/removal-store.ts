/**
 * Removing old scans, a few rows in each transaction.
 *
 *   ended long ago → its row in `scan` is deleted: for everybody who asks, it is gone as a whole; a trigger adds it to `scan_removal`
 *                  → rows of the big tables go, in chunks, by whoever comes by → work, story and the row in `scan_removal` go last
 *
 * A crash between two chunks costs nothing: the next one continues from what is left. Nobody adds rows meanwhile: what is written for a
 * scan is written from its row, under a lease that has not ended; the big tables have no foreign key to `scan`, all others have.
 */
import { maybeOne, one, type Tx } from '../../db/database.ts';
import { hideHistory, removeHistory } from '../lifecycle/scan-event-store.ts';

/** Rows in one transaction, about. */
export const ROWS_AT_ONCE = 10_000;
/** Each has rows in `finding`, which are counted as well. */
const OBJECTS_AT_ONCE = 2_000;
/** Their blocks are large. */
const BLOCKS_AT_ONCE = 500;

interface OldScan {
  readonly tenant: string;
  readonly id: number;
}

/** What keeps a scan: it is the newest of its source that has ended, a scan that has not ended needs its inventory, or a hook waits. */
const IS_REMOVABLE = `
  not exists (select from scan later where later.base_scan = scan.id and later.finished_at is null)
  and not exists (select from hook where hook.scan_id = scan.id and hook.state = 'waiting')
  and exists (select from scan newer
              where newer.tenant = scan.tenant and newer.source = scan.source and newer.id > scan.id
                and hashtextextended(newer.source, 0) = hashtextextended(scan.source, 0)
                and newer.finished_at is not null)`;

/** The oldest that may go, of those marked by `markSuperseded`. False: there is none, or somebody has just begun to need it. */
export async function detachOldScan(tx: Tx, olderThanMs: number): Promise<boolean> {
  const scan = await lockOldScan(tx, olderThanMs);
  if (scan === null || !(await lockDependents(tx, scan.id)) || !(await deleteScan(tx, scan.id))) return false;
  await hideHistory(tx, scan);
  return true;
}

/** From here on no scan can begin to build on it: `findBase` locks what it returns. */
function lockOldScan(tx: Tx, olderThanMs: number): Promise<OldScan | null> {
  return maybeOne<OldScan>(
    tx,
    `select scan.tenant, scan.id from scan join work on work.id = scan.id
     where superseded and finished_at < clock() - $1 * interval '1 millisecond' and ${IS_REMOVABLE}
     order by finished_at
     limit 1
     for update of work, scan skip locked`,
    [olderThanMs],
  );
}

/** Those that built on it forget it when it goes: meanwhile none of them is opened again. False: one of them just is. */
async function lockDependents(tx: Tx, base: number): Promise<boolean> {
  const { free } = await one<{ free: boolean }>(
    tx,
    `with ended as (
       select id from scan where base_scan = $1 and finished_at is not null for no key update skip locked)
     select (select count(*) from ended) = (select count(*) from scan where base_scan = $1) as free`,
    [base],
  );
  return free;
}

/** Looks once more, now that it is locked: the statement that chose it has not seen what was committed while it ran. */
async function deleteScan(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(`delete from scan where id = $1 and ${IS_REMOVABLE}`, [id]);
  return rowCount === 1;
}

interface Removal {
  readonly id: number;
  readonly tenant: string;
  readonly objectsFrom: Buffer;
}

/** One chunk of what is left of one scan. False: nothing is left of any. */
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
  await tx.query('delete from work where id = $1', [removal.id]);
  await tx.query('delete from scan_removal where scan_id = $1', [removal.id]);
  return true;
}

/**
 * With their findings: so many objects that these are not too many either. In the order of the listing, which is about the order in which
 * they were written: neighbours lie on the same pages. It goes on where it was, not from the beginning over all that are dead.
 */
async function removeObjects(tx: Tx, { id, objectsFrom }: Removal): Promise<number> {
  const { rows } = await tx.query<{ gone: number }>(
    `with page as (
       select id, substring(key from 1 for 1024) as start,
              row_number() over (order by substring(key from 1 for 1024)) as n
       from object where scan_id = $1 and substring(key from 1 for 1024) >= $2
       order by substring(key from 1 for 1024) limit ${OBJECTS_AT_ONCE}),
     counted as (
       select page.id, page.start, page.n, sum(1 + findings.n) over (order by page.n) as rows
       from page, lateral (select count(*) as n from finding where object_id = page.id) findings),
     chosen as (select id, start from counted where rows <= ${ROWS_AT_ONCE} or n = 1),
     place as (
       update scan_removal set objects_from = (select max(start) from chosen)
       where scan_id = $1 and exists (select from chosen)),
     gone as (delete from object using chosen where object.id = chosen.id returning 1)
     select count(*) as gone from gone`,
    [id, objectsFrom],
  );
  return rows[0]!.gone;
}

async function removeBlocks(tx: Tx, { id }: Removal): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from inventory where ctid = any(array(
       select ctid from inventory where scan_id = $1 limit ${BLOCKS_AT_ONCE}))`,
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

/** Objects that were to be looked at again: a single lease may have very many. */
export async function removeRetryKeys(tx: Tx, work: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from retry_key where ctid = any(array(
       select retry_key.ctid from lease join retry_key on retry_key.lease_id = lease.id
       where lease.work_id = $1 limit ${ROWS_AT_ONCE}))`,
    [work],
  );
  return rowCount;
}

/** With their shards and hints: about three rows each. */
async function removeLeases(tx: Tx, { id }: Removal): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from lease where id in (
       select id from lease where work_id = $1 order by id limit ${ROWS_AT_ONCE / 4})`,
    [id],
  );
  return rowCount;
}
