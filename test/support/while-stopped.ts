/** Runs a function while processes are suspended, so that its effect comes first, however slow the machine is. */
import { type Database, maybeOne } from '../../src/db/database.ts';
import type { Running } from './seine.ts';
import { waitUntil } from './wait-for.ts';

/** Suspends them, and resumes them when `fn` is done, or when it waits for a lock that one of them holds. */
export async function whileStopped<T>(
  db: Database,
  processes: readonly Pick<Running, 'kill'>[],
  fn: () => Promise<T>,
): Promise<T> {
  for (const one of processes) one.kill('SIGSTOP');
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  const done = fn();
  done.then(over, over);
  await waitUntil('the function to end or to wait for a lock', async () => isOver || isBlockedOnLock(db), {
    everyMs: 20,
  }).finally(() => {
    for (const one of processes) one.kill('SIGCONT');
  });
  return done;
}

/** Has waited for a lock longer than a running process holds one. */
async function isBlockedOnLock(db: Database): Promise<boolean> {
  const stuck = await maybeOne(
    db,
    `select from pg_stat_activity
     where application_name = 'seine' and wait_event_type = 'Lock' and query_start < clock() - interval '2 seconds'
     limit 1`,
  );
  return stuck !== null;
}
