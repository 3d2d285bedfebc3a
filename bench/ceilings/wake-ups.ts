/** What one NOTIFY costs when many idle workers listen: how many of them ask the database, and how close together. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { WakeSignal } from '../../src/base/wake-signal.ts';
import type { Database } from '../../src/db/database.ts';
import { claimLease } from '../../src/engine/leases/claim-store.ts';
import { createSampledWake, notifyWorkers, WORK_CHANNEL } from '../../src/engine/workers/work-channel.ts';
import { SHARD } from '../../src/scans/lifecycle/start-scan.ts';
import { ShardClaimer } from '../../src/scans/shard/shard-claimer.ts';
import type { Postgres } from '../postgres.ts';
import { TTL_MS } from './scans.ts';

export interface WakeUps {
  /** Callbacks of listeners for one NOTIFY. */
  readonly heard: number;
  /** Claims in the second after one NOTIFY, and in a second without one. */
  readonly claims: number;
  readonly usual: number;
  /** The most claims within 20 ms. */
  readonly peak: number;
  /** Claims in a second with so many NOTIFYs. */
  readonly burst: number;
  /** Milliseconds of the server's processors for one NOTIFY, above the usual. */
  readonly cpuMs: number;
}

export const BURST = 20;
const SECOND = 1000;
const WINDOW_MS = 20;
/** The longest pause of an idle worker, as in `runWorker`. */
const MAX_PAUSE_MS = 1000;
const SETTLE_MS = 3000;

/** Each listener gets notifications and claims as an idle worker does; there is nothing to claim. */
export async function measureWakeUps(db: Database, server: Postgres, listeners: number): Promise<WakeUps> {
  const stop = new AbortController();
  const claims: number[] = [];
  let heard = 0;
  const claim = () => {
    claims.push(performance.now());
    return claimLease(db, { kind: SHARD, groupId: null, holder: randomUUID(), ttlMs: TTL_MS });
  };
  const idle = Array.from({ length: listeners }, async () => {
    const wakeSignal = new WakeSignal();
    const wake = createSampledWake(
      () => wakeSignal.notifyAll(),
      () => listeners,
    );
    const leave = await db.listen(WORK_CHANNEL, (payload) => {
      heard++;
      wake(payload);
    });
    const tools = {
      claim,
      isOver: async () => false,
      isBusy: () => false,
      steal: async () => false,
      wakeSignal: wakeSignal,
    };
    const ended = new ShardClaimer({ ...tools, maxPauseMs: MAX_PAUSE_MS }).next(stop.signal);
    return { leave, ended };
  });
  const workers = await Promise.all(idle);

  async function during(act: () => Promise<void>): Promise<{ asked: number[]; cpuMs: number }> {
    await sleep(SETTLE_MS);
    const [from, cpu] = [claims.length, server.cpuSeconds()];
    await act();
    await sleep(SECOND);
    return { asked: claims.slice(from), cpuMs: 1000 * (server.cpuSeconds() - cpu) };
  }

  const calm = await during(async () => {});
  heard = 0;
  const notified = await during(() => notifyWorkers(db, 1));
  const once = heard;
  const often = await during(async () => {
    for (let n = 0; n < BURST; n++) {
      await notifyWorkers(db, 1);
      await sleep(SECOND / BURST);
    }
  });
  stop.abort();
  await Promise.all(workers.map(async ({ leave, ended }) => Promise.all([leave(), ended])));
  return {
    heard: once,
    claims: notified.asked.length,
    usual: calm.asked.length,
    peak: Math.max(0, ...notified.asked.map((at) => within(notified.asked, at))),
    burst: often.asked.length,
    cpuMs: notified.cpuMs - calm.cpuMs,
  };
}

function within(moments: readonly number[], from: number): number {
  return moments.filter((at) => at >= from && at < from + WINDOW_MS).length;
}
