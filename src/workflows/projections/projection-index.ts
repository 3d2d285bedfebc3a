/**
 * A projection reads all events of a workflow in the order of the log. The index for that is the one of a single fixed partition; it is
 * built beside the appends, which go on meanwhile, and kept as long as there is a projection.
 */
import { many, type Queryable } from '../../db/database.ts';
import { partitionExpression } from '../../events/read-store.ts';

const NAME = 'event_of_1';

/** A build that broke off leaves an index that is not valid: it is dropped and built again. */
export async function indexForProjections(db: Queryable): Promise<void> {
  const [found] = await many<{ valid: boolean }>(
    db,
    `select indisvalid as valid from pg_index where indexrelid = to_regclass('seine.${NAME}')`,
  );
  if (found?.valid) return;
  if (found) await db.query(`drop index concurrently if exists seine.${NAME}`);
  await db.query(
    `create index concurrently if not exists ${NAME} on seine.event (workflow, (${partitionExpression(1)}), xid, position)`,
  );
}
