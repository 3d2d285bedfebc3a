/**
 * Which scans are superseded by a newer ended one of the same source: no others may be removed, however old
 * they are.
 *
 * Marked after the end of the newer one, in a separate transaction: the one that ends a scan locks no other
 * scan, and scans ended by an earlier version are marked as well. A mark is only a hint: the newer scan may
 * have been reopened since.
 */
import { many, type Tx } from '../../db/database.ts';

const SCANS_AT_ONCE = 1_000;

/**
 * Marks older scans of some that have ended. Never waits for locks. Returns false if nothing is left to
 * mark, or all is locked.
 */
export async function markSuperseded(tx: Tx): Promise<boolean> {
  const ended = await lockEnded(tx);
  if (ended.length === 0) return false;
  await markOlder(tx, ended);
  return (await markDone(tx, ended)) > 0;
}

async function lockEnded(tx: Tx): Promise<number[]> {
  const rows = await many<{ id: number }>(
    tx,
    `select id from scan where not supersedes and finished_at is not null
     order by id limit ${SCANS_AT_ONCE} for no key update skip locked`,
  );
  return rows.map(({ id }) => id);
}

/** Includes scans that have not ended: they get no other chance. */
async function markOlder(tx: Tx, ended: readonly number[]): Promise<void> {
  await tx.query(
    `update scan set superseded = true
     where id in (
       select older.id from scan ended join scan older
         on older.tenant = ended.tenant and hashtextextended(older.source, 0) = hashtextextended(ended.source, 0)
            and older.source = ended.source and older.id < ended.id
       where ended.id = any($1::bigint[]) and not older.superseded
       for no key update of older skip locked)`,
    [ended],
  );
}

/** Scans of which an older one was locked are processed again later. */
async function markDone(tx: Tx, ended: readonly number[]): Promise<number> {
  const { rowCount } = await tx.query(
    `update scan set supersedes = true
     where id = any($1::bigint[]) and not exists (
       select from scan older
       where older.tenant = scan.tenant and hashtextextended(older.source, 0) = hashtextextended(scan.source, 0)
         and older.source = scan.source and older.id < scan.id and not older.superseded)`,
    [ended],
  );
  return rowCount;
}
