/**
 * The index by which each of N partitions reads its own events, and not everybody's. It is made with the first layout of N partitions, in its
 * transaction: appends wait until it is built, a second or two for a million events. Slots need none.
 */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import { partitionExpression } from '../../events/read-store.ts';

export async function indexPartitions(tx: Tx, total: number): Promise<void> {
  // Two layouts of the same number may begin at once.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('partition index', 0))`);
  await tx.query(
    `create index if not exists event_of_${total} on event (workflow, (${partitionExpression(total)}), xid, position)`,
  );
}

/** Those of numbers that no layout has any more; projections read by the one of a single partition. Nobody waits for it. */
export async function dropUnusedIndexes(db: Queryable): Promise<string[]> {
  const unused = await many<{ name: string }>(
    db,
    `select indexname as name from pg_indexes
     where schemaname = 'seine' and tablename = 'event' and indexname ~ '^event_of_[0-9]+$'
       and not exists (select from layout where mode = 'static' and indexname = 'event_of_' || total)
       and not (indexname = 'event_of_1' and exists (select from projection))`,
  );
  for (const { name } of unused) await db.query(`drop index concurrently if exists seine.${name}`);
  return unused.map(({ name }) => name);
}
