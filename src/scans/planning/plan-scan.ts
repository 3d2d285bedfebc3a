/**
 * The plan of a scan: a job that runs beside the first worker and splits the initial shard into several.
 * Work stealing corrects whatever the plan gets wrong (work-stealer.ts), so a plan only saves the first
 * splits; nothing waits for it.
 */
import type { KeyCodec } from '../../base/sealed-key.ts';
import type { Database } from '../../db/database.ts';
import { acquireSplitLock, releaseSplitLock, splittableLeases } from '../../engine/leases/split-store.ts';
import type { Source } from '../../sources/source.ts';
import { withScanEvents } from '../lifecycle/scan-events.ts';
import { saveEstimate } from '../lifecycle/scan-store.ts';
import type { Estimate } from './estimate.ts';
import { estimateOf } from './estimate-source.ts';
import { type PlanSettings, planProbes } from './plan-probes.ts';
import { runProbes } from './probing.ts';
import { splitShard } from './split-shard.ts';

/** Bounds how long a crashed plan blocks work stealers. */
const PLAN_LOCK_MS = 5000;

/** The `plan` job. Idempotent: repeated or late, it finds less to split, or nothing. */
export async function planScan(
  db: Database,
  id: number,
  source: Source,
  settings: PlanSettings,
  signal: AbortSignal,
  storage?: KeyCodec,
): Promise<void> {
  if (!source.page) return;
  const leases = await lockLeasesToPlan(db, id);
  const { result, calls } = await runProbes(source, planProbes(settings), signal);
  await savePlan(db, id, result.splitPoints.length, estimateOf(result.estimator, calls));
  for (const lease of leases) {
    await splitShard(db, id, lease, result, 0, storage);
    await releaseSplitLock(db, lease);
  }
}

function savePlan(db: Database, id: number, splitPoints: number, estimate: Estimate): Promise<void> {
  const { objects, bytes, calls } = estimate;
  return withScanEvents(db, async (tx, appendEvent) => {
    const inTime = await saveEstimate(tx, id, estimate);
    if (inTime)
      appendEvent(id, {
        type: 'planned',
        cuts: splitPoints,
        objects: objects.likely,
        bytes: bytes.likely,
        calls,
      });
  });
}

/** Blocks work stealers while the plan is probing: they would make the same requests. */
async function lockLeasesToPlan(db: Database, scan: number): Promise<number[]> {
  const leases: number[] = [];
  for (const { id } of await splittableLeases(db, scan, 'also waiting')) {
    if (await acquireSplitLock(db, id, PLAN_LOCK_MS)) leases.push(id);
  }
  return leases;
}
