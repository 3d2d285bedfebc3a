/** How workers tell that a scan has moved on. A hint only: whoever watches polls as well, so a lost one costs a poll. */
import type { Queryable } from '../../db/database.ts';

/** The payload is the scan's number. */
export const PROGRESS_CHANNEL = 'seine_progress';

/** Inside a transaction it is heard when that commits. */
export async function notifyProgress(db: Queryable, scan: number): Promise<void> {
  await db.query('select pg_notify($1, $2)', [PROGRESS_CHANNEL, String(scan)]);
}
