/**
 * The index by which each of N static partitions reads only its own events. Created with the first partitioning into N, in its transaction: appends
 * block until it is built, a second or two for a million events. Slots need none.
 */
import { SeineError } from '../../base/errors.ts';
import { many, type Queryable, type Tx } from '../../db/database.ts';
import { partitionExpression } from '../../events/read-store.ts';

export async function indexPartitions(tx: Tx, total: number): Promise<void> {
  // Two processes may create the same partitioning at once.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('partition index', 0))`);
  await tx.query(
    `create index if not exists event_of_${total} on event (workflow, (${partitionExpression(total)}), xid, position)`,
  );
}

/** Drops the indexes of partition counts no longer in use; projections use that of a single partition. Nothing waits for it. */
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

/**
 * Creates the index for a single partition: projections read all events of a workflow in log order. It is built concurrently with appends; an
 * interrupted build leaves an invalid index, which is built again. While another process builds it, this throws a retryable error.
 */
export async function indexForProjections(db: Queryable): Promise<void> {
  const [found] = await many<{ valid: boolean; building: boolean }>(
    db,
    `select indisvalid as valid,
            exists (select from pg_stat_progress_create_index where index_relid = indexrelid) as building
     from pg_index where indexrelid = to_regclass('seine.event_of_1')`,
  );
  if (found?.valid) return;
  if (found?.building)
    throw new SeineError('conflict', 'Another process builds the index for projections.', { retry: true });
  if (found) await db.query('drop index concurrently if exists seine.event_of_1');
  await db.query(
    `create index concurrently if not exists event_of_1 on seine.event (workflow, (${partitionExpression(1)}), xid, position)`,
  );
}
