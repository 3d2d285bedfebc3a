/**
 * A hint to idle workers that leases may be claimable. If it is lost, they find out at their next poll.
 *
 * PostgreSQL delivers a notification to every listener. If thousands of workers claimed at once, they would
 * contend for the same rows: so each reacts with a probability that makes a few of them claim for each new
 * lease, after a random delay.
 */
import type { Queryable } from '../../db/database.ts';

export const WORK_CHANNEL = 'seine_work';

/** `leases`: how many became claimable; undefined if unknown. */
export async function notifyWorkers(db: Queryable, leases?: number): Promise<void> {
  await db.query(`select pg_notify('${WORK_CHANNEL}', $1)`, [leases === undefined ? '' : String(leases)]);
}

/** Several for each lease, because most workers are busy when they are notified. */
const WOKEN_PER_LEASE = 4;
const SPREAD_MS_PER_WORKER = 1;
const MAX_SPREAD_MS = 1000;

/**
 * Returns the handler for notifications of the channel. `workers`: the number of workers as far as this
 * process knows.
 */
export function createSampledWake(
  wake: () => void,
  workers: () => number,
  random: () => number = Math.random,
): (payload: string) => void {
  let timer: NodeJS.Timeout | null = null;
  return (payload) => {
    if (timer !== null) return;
    const woken = WOKEN_PER_LEASE * (Number.parseInt(payload, 10) || Number.POSITIVE_INFINITY);
    if (random() * workers() >= woken) return;
    const spread = Math.min(MAX_SPREAD_MS, (Math.min(woken, workers()) - 1) * SPREAD_MS_PER_WORKER);
    timer = setTimeout(() => {
      timer = null;
      wake();
    }, random() * spread).unref();
  };
}
