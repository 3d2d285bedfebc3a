/**
 * Scaling: replaces the partitioning of a workflow in one transaction.
 *
 *   1. lock its row: changes are serialised, and a change that was already made has no effect;
 *   2. lock the leases of its readers, so that no offset moves;
 *   3. reject the change if a reader is running, or fence the reader: its lease is revoked, and its later writes are rejected;
 *   4. create the new readers at the smallest offset of all old ones, and retire the old ones.
 *
 * Invariant: no event is skipped. An id has another reader afterwards, and only what all old readers have passed has surely been passed by its own.
 * Events after that are read again without effect: the progress of reactions is stored per workflow, in `reaction`.
 *
 * Crash: before the commit nothing remains of the attempt, and it can be repeated; after it, a repetition finds it done.
 */
import { SeineError } from '../../base/errors.ts';
import type { Key } from '../../base/key.ts';
import type { Database, Tx } from '../../db/database.ts';
import { cancelLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { type Offset, offsetFromKey } from '../../events/offset.ts';
import { checkTotal } from './partition.ts';
import {
  createPartitioning,
  formatPartitionSpec,
  type PartitionSpec,
  partitionSpecOf,
  scaleCommand,
} from './partitioning.ts';
import {
  type ActiveReader,
  lockOffsets,
  lockPartitioning,
  notifyPartitioningChanged,
  type Partitioning,
  readersOf,
  readPartitioning,
  retireReaders,
} from './partitioning-store.ts';

export interface ScaleOptions {
  /** What to do about running readers: reject the change (default), or stop them. */
  readonly running?: 'refuse' | 'stop';
}

export interface Scaled {
  /** False: it already was in that state. */
  readonly changed: boolean;
  readonly layout: Partitioning;
  /** The offset of the slowest reader; after a change, where all begin. */
  readonly offset: Offset;
  /** The running readers that were fenced. */
  readonly stopped: readonly ActiveReader[];
}

export async function rescale(
  db: Database,
  workflow: string,
  from: PartitionSpec,
  to: PartitionSpec,
  options: ScaleOptions = {},
): Promise<Scaled> {
  const [scaled] = await rescaleAll(db, [workflow], from, to, options);
  return scaled!;
}

/**
 * Scales all of these workflows, or none if one can't be changed. Locks are taken by type, partitionings by name and then leases by id, so that
 * concurrent changes can't deadlock.
 */
export async function rescaleAll(
  db: Database,
  workflows: readonly string[],
  from: PartitionSpec,
  to: PartitionSpec,
  { running = 'refuse' }: ScaleOptions = {},
): Promise<Scaled[]> {
  for (const shape of [from, to]) if (shape !== 'slots') checkTotal(shape);
  const names = [...new Set(workflows)].sort();
  return db.tx(async (tx) => {
    const layouts: Partitioning[] = [];
    for (const name of names) layouts.push(await readLockedPartitioning(tx, name));
    const offsets = await lockOffsets(tx, names);
    const scaled: Scaled[] = [];
    for (const layout of layouts) {
      const cursor = minCursor(offsets.get(layout.workflow)!);
      scaled.push(await rescaleOne(tx, layout, cursor, from, to, running));
    }
    return scaled;
  });
}

async function rescaleOne(
  tx: Tx,
  layout: Partitioning,
  cursor: Key,
  from: PartitionSpec,
  to: PartitionSpec,
  running: NonNullable<ScaleOptions['running']>,
): Promise<Scaled> {
  const { workflow } = layout;
  const offset = offsetFromKey(cursor);
  if (partitionSpecOf(layout) === to) return { changed: false, layout, offset, stopped: [] };
  if (partitionSpecOf(layout) !== from) throw unexpectedPartitioning(layout, from, to);
  const stopped = (await readersOf(tx, workflow)).filter(({ holder }) => holder !== null);
  if (stopped.length > 0 && running === 'refuse') throw stillRunning(stopped, workflow, from, to);
  return { changed: true, layout: await replace(tx, layout, to, cursor), offset, stopped };
}

async function readLockedPartitioning(tx: Tx, workflow: string): Promise<Partitioning> {
  const layout = (await lockPartitioning(tx, workflow)) ? await readPartitioning(tx, workflow) : null;
  if (layout) return layout;
  throw new SeineError('not-found', `The workflow ${workflow} has no readers yet: nothing to scale.`, {
    hint: 'Check the name, or start its runners with any number of partitions.',
  });
}

/** Revoked by cancellation: the old leases accept no checkpoint, and nothing waits for them. */
async function replace(tx: Tx, old: Partitioning, to: PartitionSpec, cursor: Key): Promise<Partitioning> {
  await cancelLeaseGroup(tx, old.groupId);
  await retireReaders(tx, old.workflow);
  const layout = await createPartitioning(tx, old.workflow, old.epoch + 1, to, cursor);
  await notifyPartitioningChanged(tx, old.workflow);
  return layout;
}

/** Keys sort as their offsets do. */
function minCursor(cursors: readonly Key[]): Key {
  return cursors.toSorted()[0]!;
}

function unexpectedPartitioning(layout: Partitioning, from: PartitionSpec, to: PartitionSpec): SeineError {
  const { workflow } = layout;
  const shape = partitionSpecOf(layout);
  return new SeineError(
    'conflict',
    `The workflow ${workflow} is partitioned into ${formatPartitionSpec(shape)}, not into ${formatPartitionSpec(from)}: it was changed meanwhile.`,
    { hint: `To change it anyway: ${scaleCommand(workflow, shape, to)}` },
  );
}

function stillRunning(
  readers: readonly ActiveReader[],
  workflow: string,
  from: PartitionSpec,
  to: PartitionSpec,
): SeineError {
  const holders = Map.groupBy(readers, ({ holder }) => holder!);
  const named = [...holders.values()].map(([first, ...more]) => {
    const who = first!.host === null ? `runner ${first!.holder}` : `${first!.host}, pid ${first!.pid}`;
    return `${who} (${first!.name}${more.length > 0 ? ` and ${more.length} more` : ''})`;
  });
  return new SeineError('conflict', `The workflow ${workflow} is being read by ${named.join('; ')}.`, {
    hint: `Stop them first (they finish work in progress), or fence them off: ${scaleCommand(workflow, from, to)} --stop`,
  });
}
