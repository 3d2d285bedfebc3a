/**
 * Which scans have a newer one of the same source that has ended: of the others, nothing may be removed however old they are.
 *
 * Marked after the end of the newer one, in a transaction of its own: the one that ends a scan locks no other scan, and scans that an
 * earlier version ends are marked as well. A mark is only a reason to look: the newer one may have been opened again since.
 */
import { many, type Tx } from '../../db/database.ts';

const SCANS_AT_ONCE = 1_000;

/** Of some scans that have ended, the older ones. Waits for nobody. False: nothing is left to mark, or somebody has it locked. */
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

/** Also those that have not ended: they get no other chance. */
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

/** Those of which an older one was locked come again. */
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
