/**
 * The plan of a scan: a job that runs beside the first worker and cuts the one shard that the scan began with into several.
 * Stealing evens out whatever the plan gets wrong (steal.ts), so a plan only saves the first splits; nobody waits for it.
 */
import type { KeyStorage } from '../base/sealed-key.ts';
import type { Database } from '../db/database.ts';
import { claimLook, endLook, splittableLeases } from '../engine/leases/split-store.ts';
import type { Source } from '../sources/source.ts';
import type { Estimate } from './planning/estimate.ts';
import { estimateOf } from './planning/estimate-source.ts';
import { look } from './planning/looking.ts';
import { type PlanSettings, planSteps } from './planning/plan-steps.ts';
import { splitShard } from './planning/split-shard.ts';
import { telling } from './scan-events.ts';
import { keepEstimate } from './scan-store.ts';

/** A plan that dies keeps thieves away no longer than this. */
const PLAN_MS = 5000;

/** The `plan` job. Repeated, or late, it finds less to cut, or nothing. */
export async function planScan(
  db: Database,
  id: number,
  source: Source,
  settings: PlanSettings,
  signal: AbortSignal,
  storage?: KeyStorage,
): Promise<void> {
  if (!source.page) return;
  const leases = await leasesToPlan(db, id);
  const { result, calls } = await look(source, planSteps(settings), signal);
  await keepPlan(db, id, result.cuts.length, estimateOf(result.explorer, calls));
  for (const lease of leases) {
    await splitShard(db, id, lease, result, 0, storage);
    await endLook(db, lease);
  }
}

function keepPlan(db: Database, id: number, cuts: number, estimate: Estimate): Promise<void> {
  const { objects, bytes, calls } = estimate;
  return telling(db, async (tx, tell) => {
    const inTime = await keepEstimate(tx, id, estimate);
    if (inTime) tell(id, { type: 'planned', cuts, objects: objects.likely, bytes: bytes.likely, calls });
  });
}

/** While the plan looks around, no thief does: it would see the same. */
async function leasesToPlan(db: Database, scan: number): Promise<number[]> {
  const leases: number[] = [];
  for (const { id } of await splittableLeases(db, scan, 'also waiting')) {
    if (await claimLook(db, id, PLAN_MS)) leases.push(id);
  }
  return leases;
}
