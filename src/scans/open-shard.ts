/** Opens a claimed shard: what it lists, and the context that its run needs. */
import { type HeldLease, remainingRange, unsealLease } from '../engine/leases/lease.ts';
import { readRetryKeys, retrySource } from './dead-letters/retry-source.ts';
import type { ScanContext } from './scan-context.ts';
import { objectScoringFor } from './segments/assemble-segments.ts';
import { openSegment } from './segments/open-segment.ts';
import { retryThroughOutage } from './shard/database-outage.ts';
import type { ShardContext } from './shard/shard-context.ts';
import { readShard, type ScanRevision } from './shard/shard-store.ts';
import type { WorkerContext } from './worker-context.ts';

export interface OpenShard {
  readonly held: HeldLease;
  readonly context: ShardContext;
  /** Aborted when this process must stop working on the scan. */
  readonly scanStopped: AbortSignal;
}

/** Returns null if the lease was lost meanwhile. `onStart` is called when the shard reaches its first object. */
export async function openShard(
  claimed: HeldLease,
  worker: WorkerContext,
  onStart: () => void,
  signal: AbortSignal,
): Promise<OpenShard | null> {
  const { db, jobs, live, ttlMs, minSegmentedBytes, contexts } = worker;
  const { kind, started, ...revision } = await retryThroughOutage(() => readShard(db, claimed.id), signal);
  const scanContext = await currentContext(contexts, claimed.groupId, revision);
  const { source, queue, hash, scan, inventoryKey, change, pacerState, names, stopped } = scanContext;
  const held = kind === 'part' ? claimed : unsealLease(claimed, names);
  const process = { db, jobs, live, ttlMs, minSegmentedBytes };
  const ofScan = { queue, hash, inventoryKey, change, pacerState, names };
  const context: ShardContext = { ...process, ...ofScan, source, base: scan.base, started, onStart };
  if (kind === 'range') return { held, context, scanStopped: stopped };
  if (kind === 'part') {
    const scoring = objectScoringFor(scan.ruleSet, scan.maxFindingsPerType);
    const segment = await openSegment(db, held, source, scoring, undefined, names);
    if (segment === null) return null;
    return {
      held,
      context: { ...context, source: segment.source, base: null, segment },
      scanStopped: stopped,
    };
  }
  const keys = await readRetryKeys(db, held.id, remainingRange(held), names);
  return {
    held,
    context: { ...context, source: retrySource(source, keys), base: null, retrying: true },
    scanStopped: stopped,
  };
}

/**
 * Returns the context, reopened if the scan was resumed under other rules or versions, or with its first
 * budget, since this process last used it.
 */
async function currentContext(
  contexts: WorkerContext['contexts'],
  scan: number,
  revision: ScanRevision,
): Promise<ScanContext> {
  const context = await contexts.of(scan);
  if (isCurrent(context, revision)) return context;
  await contexts.drop(scan);
  return contexts.of(scan);
}

function isCurrent({ scan, budgeted }: ScanContext, revision: ScanRevision): boolean {
  return (
    scan.rulesHash === revision.rulesHash &&
    scan.inventoryKey === revision.inventoryKey &&
    scan.createdAt.getTime() === revision.createdAt.getTime() &&
    budgeted === revision.budgeted
  );
}
