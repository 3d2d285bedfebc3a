/**
 * The plan of a scan: a job that runs beside the first worker and cuts the one shard that the scan began with into several.
 * Stealing evens out whatever the plan gets wrong (steal.ts), so a plan only saves the first splits; nobody waits for it.
 */
import type { Database } from '../db/database.ts';
import { splitLeaseAt, splittableLeases } from '../engine/leases/split-store.ts';
import type { Access } from '../sources/access.ts';
import { openSource } from '../sources/open.ts';
import { estimateOf } from './planning/estimate-source.ts';
import { look } from './planning/looking.ts';
import { type PlanSettings, planSteps } from './planning/plan-steps.ts';
import { keepEstimate, readScan } from './scan-store.ts';
import { scopeOf } from './scope.ts';
import { addShards } from './shard-store.ts';

/** The `plan` job. Repeated, or late, it finds less to cut, or nothing. */
export async function planScan(
  db: Database,
  id: number,
  settings: PlanSettings,
  accessTo: (target: string) => Access,
  signal: AbortSignal,
): Promise<void> {
  const scan = await readScan(db, id);
  if (scan === null || scan.finishedAt !== null) return;
  const source = await openSource(scan.source, scopeOf(scan), accessTo(scan.source));
  if (!source.page) return;
  const { result, calls } = await look(source, planSteps(settings), signal);
  await keepEstimate(db, id, estimateOf(result.explorer, calls));
  for (const { id: lease } of await splittableLeases(db, id, 'also waiting')) {
    await db.tx(async (tx) => addShards(tx, id, await splitLeaseAt(tx, lease, result.cuts)));
  }
}
