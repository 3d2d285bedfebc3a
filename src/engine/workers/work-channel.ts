/** A hint to idle workers that there may be something to claim. Lost, it costs them the rest of a pause. */
import type { Queryable } from '../../db/database.ts';

export const WORK_CHANNEL = 'seine_work';

export async function tellWorkers(db: Queryable): Promise<void> {
  await db.query(`select pg_notify('${WORK_CHANNEL}', '')`);
}
