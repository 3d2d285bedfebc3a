import { setTimeout as sleep } from 'node:timers/promises';
import { SeineError } from '../base/errors.ts';
import type { Queryable } from '../db/database.ts';

const PROBE_INTERVAL_MS = 5000;

/**
 * Runs shutdown steps that write to the database. They may take as long as the database answers; once it is unreachable the function
 * returns without them, because each step would wait for its own timeout, one after the other. What they would have written expires by
 * itself: leases, and workers without a heartbeat.
 */
export async function closeUnlessUnreachable(
  db: Queryable,
  steps: () => Promise<void>,
  probeIntervalMs = PROBE_INTERVAL_MS,
): Promise<void> {
  const done = steps().then(() => true);
  done.catch(() => {}); // handled below, unless the database is unreachable
  for (;;) {
    if (await settledWithin(probeIntervalMs, done)) return;
    const answers = await settledWithin(
      probeIntervalMs,
      db.query('select 1').then(
        () => true,
        (error) => !(error instanceof SeineError && error.kind === 'unavailable'),
      ),
    );
    if (!answers) return;
  }
}

async function settledWithin(ms: number, answer: Promise<boolean>): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(ms, false, { signal: over.signal }).catch(() => false);
  return Promise.race([answer, late]).finally(() => over.abort());
}
