/** Waiting with a time limit: when it is exceeded, the test fails with a summary of the state. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, many } from '../../src/db/database.ts';

/** More than any wait takes on a slow machine, and less than a test may take. */
const WAIT_TIMEOUT_MS = 100_000;
/** For tests of the unit and db projects, which may take a minute. */
const CONDITION_TIMEOUT_MS = 50_000;
/** For processes that are started. */
export const PROCESS_TIMEOUT_MS = 150_000;

/** Polls until `condition` is true. `what` completes the sentence "Waited for …"; a function is called when the time is over. */
export async function waitUntil(
  what: string | (() => string),
  condition: () => boolean | Promise<boolean>,
  { forMs = CONDITION_TIMEOUT_MS, everyMs = 5 } = {},
): Promise<void> {
  const deadline = performance.now() + forMs;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`Waited ${forMs / 1000} s for ${typeof what === 'string' ? what : what()}.`);
    await sleep(everyMs);
  }
}

/** Repeats `step` without a pause as long as it returns something other than false, 0, null or undefined. Returns how often it did. */
export async function repeatWhile(
  what: string,
  step: () => Promise<unknown>,
  { forMs = CONDITION_TIMEOUT_MS } = {},
): Promise<number> {
  const deadline = performance.now() + forMs;
  let times = 0;
  while (await step()) {
    times++;
    if (performance.now() > deadline)
      throw new Error(`No end of ${what} after ${forMs / 1000} s, ${times} times.`);
  }
  return times;
}

/** Calls `probe` until it returns a value; an unreachable database is retried. */
export async function waitFor<T>(
  db: Database,
  what: string,
  probe: () => Promise<T | null>,
  forMs = WAIT_TIMEOUT_MS,
): Promise<T> {
  const deadline = performance.now() + forMs;
  for (;;) {
    const result = await probe().catch(() => null);
    if (result !== null) return result;
    if (performance.now() > deadline) throw new Error(`Waited for ${what}.\n${await describeActivity(db)}`);
    await sleep(10);
  }
}

/** Workers, their leases and the state of the connections: enough to distinguish a hang from a slow machine. */
async function describeActivity(db: Database): Promise<string> {
  const sights = await Promise.all(
    [
      'select id, status, finished_at from scan order by id desc limit 2',
      `select pid, draining, fenced_writes, objects, clock() - heartbeat_at as silent from worker`,
      `select id, group_id, state, fencing_token, checkpoint_seq, claims_since_progress, holder, expires_at - clock() as expires,
         not_before - clock() as waits, error
       from range_lease where state in ('waiting', 'held') order by id limit 20`,
      `select pid, state, wait_event_type, wait_event, clock() - state_change as since, left(query, 80) as query
       from pg_stat_activity where application_name = 'seine' order by pid`,
    ].map((sql) => many<object>(db, sql).catch((error: Error) => [{ error: error.message }])),
  );
  return sights
    .flat()
    .map((row) => JSON.stringify(row))
    .join('\n');
}
