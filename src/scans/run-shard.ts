/**
 * Runs one shard, from its cursor to its end: list → unchanged? → read → extract → detect → score →
 * checkpoint.
 *
 * The listing is processed in windows. A window is reserved before anything in it is started (so that it
 * can't be split away), its objects are submitted to the detection threads and end in any order; the cursor
 * follows the contiguous finished ones. While a checkpoint is written, the threads continue with submitted
 * objects.
 */
import type { ErrorKind, SeineError } from '../base/errors.ts';
import type { Key } from '../base/key.ts';
import { type HeldLease, remainingRange } from '../engine/leases/lease.ts';
import { isObjectError, type ObjectError, type SourceObject } from '../sources/source.ts';
import type { ObjectEnd } from './checkpoint/checkpoint-batch.ts';
import { reasonFor } from './detect/reason.ts';
import { Inventory } from './inventory/inventory-store.ts';
import { PLAIN_NAMES } from './names/name-masker.ts';
import { listWithHints } from './planning/listing-hints.ts';
import { type Inspection, notRead } from './results/inspection.ts';
import { toReasonCode } from './results/reason-code.ts';
import { isHuge, isSplittable } from './segments/object-head.ts';
import { retryThroughOutage } from './shard/database-outage.ts';
import { clearSuspect, markSuspect, PoisonGuard, unmarkSuspect } from './shard/poison-guard.ts';
import type { ShardContext } from './shard/shard-context.ts';
import { ShardProgress } from './shard/shard-progress.ts';
import { StaleRows } from './suppressions/stale-rows.ts';

/** `lost`: another worker has it. `released`: stopped before its end, claimable by any worker. */
export type ShardEnd = 'completed' | 'lost' | 'released';

export async function runShard(
  held: HeldLease,
  context: ShardContext,
  signal: AbortSignal,
): Promise<ShardEnd> {
  const shard = new ShardProgress(held, context, signal);
  try {
    if (!(await processListing(shard, context, signal)) || !(await shard.drain(signal))) return 'lost';
    if (signal.aborted || shard.stopping) return (await shard.release()) ? 'released' : 'lost';
    return (await shard.complete()) ? 'completed' : 'lost';
  } finally {
    shard.close();
  }
}

/** Starts every object of the shard, in order. Returns false if the lease was lost meanwhile. */
async function processListing(
  shard: ShardProgress,
  context: ShardContext,
  signal: AbortSignal,
): Promise<boolean> {
  const { held } = shard;
  const inventory = openInventory(held.cursor, context);
  const guard = await retryThroughOutage(() => PoisonGuard.load(context.db, held, context.names), signal);
  try {
    for await (const window of listingWindows(listingOf(shard, context, signal), shard.pacer)) {
      const last = window.at(-1)!.key;
      if (!(await shard.reserve(last))) return false;
      await inventory.prepare(last, window[0]!.key);
      for (const item of window) {
        if (signal.aborted || shard.stopping || !shard.covers(item.key)) return true; // or split away meanwhile
        if (!guard.needsIsolation(item.key)) await inspect(item, shard, inventory, context, signal);
        else if (!(await inspectIsolated(item, shard, guard, context, signal))) return false;
        do {
          if (shard.due && !(await shard.checkpoint())) return false;
        } while (await waitForRoom(context, signal));
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error; // otherwise the listing was aborted as requested
  }
  return true;
}

function openInventory(after: Key, { db, base, hash, change, names }: ShardContext): Inventory {
  const stale = base !== null && change ? new StaleRows(db, base, change, after, names) : null;
  return new Inventory(db, base, hash, after, stale, names);
}

/** Pages of a retry list, or of a segment, are of no use to work stealers and not published. */
function listingOf(shard: ShardProgress, context: ShardContext, signal: AbortSignal) {
  const isUnpublished = context.retrying || context.segment !== undefined;
  return isUnpublished
    ? context.source.list(remainingRange(shard.held), signal)
    : listWithHints(shard, context, signal);
}

/** Returns true if it waited; the caller must check again. */
async function waitForRoom({ queue }: ShardContext, signal: AbortSignal): Promise<boolean> {
  if (queue.fault) throw queue.fault;
  if (!queue.full || signal.aborted) return false;
  await queue.waitForRoom(signal);
  return true;
}

/** Waits only for the head of a huge object, which decides whether it can be read by segments. */
function inspect(
  item: SourceObject | ObjectError,
  shard: ShardProgress,
  inventory: Inventory,
  context: ShardContext,
  signal: AbortSignal,
): Promise<void> | void {
  const position = shard.begin(item);
  const unread = unreadable(item, context);
  if (unread) return shard.end(position, unread);
  const object = item as SourceObject;
  const state = inventory.unchanged(object);
  if (state)
    return shard.end(
      position,
      state === 'clean' ? unchangedClean(inventory, object) : 'unchanged, has a row',
    );
  const submitWhole = () => context.queue.submit(object, (inspection) => shard.end(position, inspection));
  if (context.retrying || !isHuge(context.source, object, context.minSegmentedBytes)) return submitWhole();
  return isSplittable(context.source, object, signal).then((can) =>
    can ? shard.end(position, 'by parts') : submitWhole(),
  );
}

function unchangedClean(inventory: Inventory, object: SourceObject): ObjectEnd {
  const subThreshold = inventory.subThreshold(object);
  return subThreshold ? { unchanged: subThreshold } : 'unchanged, clean';
}

/**
 * Processes one object with nothing else in progress, its key committed before it is started; see
 * poison-guard.ts. Returns false if the lease is lost.
 */
async function inspectIsolated(
  item: SourceObject | ObjectError,
  shard: ShardProgress,
  guard: PoisonGuard,
  context: ShardContext,
  signal: AbortSignal,
): Promise<boolean> {
  const stored = (context.names ?? PLAIN_NAMES).seal(item.key);
  if (!(await shard.drain(signal)) || !(await shard.checkpoint())) return false;
  if (signal.aborted || shard.stopping) return true;
  const position = shard.begin(item);
  const unread =
    unreadable(item, context) ??
    (guard.isPoison(item.key) ? crashedTheProcess(guard.crashes(item.key)) : null);
  if (unread) {
    shard.end(position, unread);
    if (!(await shard.checkpoint())) return false;
    await clearSuspect(context.db, shard.held.groupId, stored);
    return true;
  }
  await context.queue.ready(); // marked before threads have started, it would be blamed for crashes during their start
  await markSuspect(context.db, shard.held.groupId, stored);
  let ended = false;
  try {
    context.queue.submit(item as SourceObject, (inspection) => shard.end(position, inspection));
    const isOurs = await shard.drain(signal);
    ended = isOurs && !signal.aborted && !shard.stopping;
    return isOurs;
  } finally {
    const endSuspicion = ended ? clearSuspect : unmarkSuspect;
    await endSuspicion(context.db, shard.held.groupId, stored);
  }
}

function crashedTheProcess(attempts: number): Inspection {
  return { ...notRead('dead', 'worker-crashed', false), evidence: { attempts } };
}

/**
 * Errors that a retry cannot change are skipped; other listing errors make the object dead, so that it can
 * be retried.
 */
const SKIPPED_KINDS: ReadonlySet<ErrorKind> = new Set(['permission', 'not-found', 'changed']);

function listingFailure(error: SeineError, { names = PLAIN_NAMES }: ShardContext): Inspection {
  const reason = reasonFor(error);
  if (SKIPPED_KINDS.has(error.kind)) return notRead('skipped', reason, false);
  return {
    ...notRead('dead', reason, false),
    evidence: { error: names.message(error.message), attempts: 1 },
  };
}

/** Decided without reading, so decided again in each scan. */
function unreadable(item: SourceObject | ObjectError, context: ShardContext): Inspection | null {
  if (isObjectError(item)) return listingFailure(item.error, context);
  return item.unreadable === undefined ? null : notRead('skipped', toReasonCode(item.unreadable), false);
}

/**
 * Groups a listing into windows of the size that the shard's pacer sets each time: small at first, larger
 * once the number of objects per checkpoint is known.
 */
async function* listingWindows<T>(
  batches: AsyncIterable<readonly T[]>,
  pacer: { readonly size: number },
): AsyncGenerator<T[]> {
  let window: T[] = [];
  for await (const batch of batches) {
    for (const item of batch) {
      window.push(item);
      if (window.length < pacer.size) continue;
      yield window;
      window = [];
    }
  }
  if (window.length > 0) yield window;
}
