/**
 * Notifications about progress of a scan. A hint only: watchers also poll, so a lost one costs one polling
 * interval.
 */
import type { Queryable } from '../../db/database.ts';

/** The payload is the scan's id. */
export const PROGRESS_CHANNEL = 'seine_progress';

/** In a transaction it is delivered on commit. */
export async function notifyProgress(db: Queryable, scan: number): Promise<void> {
  await db.query('select pg_notify($1, $2)', [PROGRESS_CHANNEL, String(scan)]);
}
