import { setTimeout as sleep } from 'node:timers/promises';
import { SeineError } from '../base/errors.ts';
import type { Queryable } from '../db/database.ts';

const PROBE_INTERVAL_MS = 5000;

/**
 * Steps that close something and tell the database so. They may take their time as long as the database answers; without it each would wait
 * for an answer of its own, one after the other, so they are left alone together. Whatever they would have written runs out by itself: leases
 * and workers that give no sign of life.
 */
export async function closeUnlessUnreachable(
  db: Queryable,
  steps: () => Promise<void>,
  probeIntervalMs = PROBE_INTERVAL_MS,
): Promise<void> {
  const done = steps().then(() => true);
  done.catch(() => {}); // it is told below, or nobody waits for it any more
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
