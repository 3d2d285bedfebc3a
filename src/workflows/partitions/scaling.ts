/**
 * Scaling: from one layout of a workflow to another, in one transaction.
 *
 *   1. the layout's row is locked: changes come one after the other, and one that was made already is not made again;
 *   2. the leases of its readers are locked: none of them moves any more;
 *   3. who still reads is refused, or fenced: its lease ends, and whatever it writes under it is turned down;
 *   4. the new readers begin at the smallest offset of all old ones, and the old ones are retired.
 *
 * Invariant: no event is skipped. An id has another reader afterwards, and only what all old readers have passed has surely been passed
 * by its own. What lies between comes once more, and does nothing: how far a workflow was reacted to stands in its `reaction`.
 *
 * Crash: nothing of the attempt remains, and it can be repeated. If the crash came after the end, the repetition finds it done.
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
  /** What becomes of readers that are running: the change is refused (so it is if nothing is said), or they are stopped. */
  readonly running?: 'refuse' | 'stop';
}

export interface Scaled {
  /** False: it was so already. */
  readonly changed: boolean;
  readonly layout: Partitioning;
  /** Where the slowest of its readers stands; after a change, where all begin. */
  readonly offset: Offset;
  /** The readers that were running and are fenced now. */
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
 * Several workflows, or none of them: one that cannot be changed leaves all as they are. Locks are taken kind by kind, layouts by name and
 * then leases by id, so that two who change the same workflows wait for each other and never in a circle.
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
  throw new SeineError(
    'not-found',
    `Nobody has read the workflow ${workflow} yet: there is nothing to scale.`,
    {
      hint: 'Check the name, or just start its runners with as many partitions as you like.',
    },
  );
}

/** Ended as cancelled, the old leases take no checkpoint, and nothing waits for them. */
async function replace(tx: Tx, old: Partitioning, to: PartitionSpec, cursor: Key): Promise<Partitioning> {
  await cancelLeaseGroup(tx, old.work);
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
    `The workflow ${workflow} is shared in ${formatPartitionSpec(shape)}, not in ${formatPartitionSpec(from)}: somebody has changed it.`,
    { hint: `If you still want it: ${scaleCommand(workflow, shape, to)}` },
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
    hint: `Stop them first (they finish what they have in hand), or let this stop them: ${scaleCommand(workflow, from, to)} --stop`,
  });
}
