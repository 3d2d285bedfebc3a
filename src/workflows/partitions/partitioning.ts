/**
 * Partitionings: how a workflow's events are distributed over readers.
 *
 *   slots    256 partitions, each a lease that any runner may claim: runners join and leave, slots move, the partitioning stays
 *   static   N partitions, one for each process, as in the parallelization guide; another N is another partitioning (scaling.ts)
 *
 * Each partition has a reader, and each reader a lease whose cursor is its offset in the log. The leases of a partitioning are one lease group.
 *
 * Invariant: a workflow has one partitioning, with exactly one active reader for each partition. A change revokes all leases of the previous one in
 * the same transaction, so its readers can't write any more once the new one exists: the fencing tokens of the leases are the fence; the epoch is for
 * display and distinguishes readers of the same name.
 *
 * Crash: a partitioning is written in one transaction, or not at all.
 */
import { SeineError } from '../../base/errors.ts';
import { FIRST_KEY, type Key } from '../../base/key.ts';
import type { Database, Tx } from '../../db/database.ts';
import { createLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { addLeases } from '../../engine/leases/lease-store.ts';
import { SLOTS } from '../../events/hash.ts';
import { checkTotal, makeReaderName, makeSlotReaderName } from './partition.ts';
import { indexPartitions } from './partition-index-store.ts';
import {
  addReaders,
  lockPartitioningName,
  type Mode,
  type Partitioning,
  readPartitioning,
  writePartitioning,
} from './partitioning-store.ts';

export type PartitioningRequest =
  | { readonly mode: 'slots' }
  | { readonly mode: 'static'; readonly total: number };

/** The number of static partitions, or slots. */
export type PartitionSpec = number | 'slots';

/** The lease group types of partitionings. */
export const LEASE_GROUP_TYPE: Readonly<Record<Mode, string>> = {
  slots: 'workflow-slots',
  static: 'workflow-partitions',
};

/** The partitioning of a workflow; if there is none, created to begin with the first event. Another mode or number is a conflict. */
export async function openPartitioning(
  db: Database,
  workflow: string,
  wanted: PartitioningRequest,
): Promise<Partitioning> {
  const spec = wanted.mode === 'slots' ? 'slots' : wanted.total;
  if (spec !== 'slots') checkTotal(spec);
  const partitioning = (await readPartitioning(db, workflow)) ?? (await initPartitioning(db, workflow, spec));
  if (partitionSpecOf(partitioning) === spec) return partitioning;
  throw partitioningMismatch(partitioning, spec);
}

/** Another process was first: use its partitioning. */
function initPartitioning(db: Database, workflow: string, spec: PartitionSpec): Promise<Partitioning> {
  return db.tx(async (tx) => {
    await lockPartitioningName(tx, workflow);
    return (
      (await readPartitioning(tx, workflow)) ?? (await createPartitioning(tx, workflow, 1, spec, FIRST_KEY))
    );
  });
}

/** Writes a partitioning whose readers all continue after `cursor`. */
export async function createPartitioning(
  tx: Tx,
  workflow: string,
  epoch: number,
  spec: PartitionSpec,
  cursor: Key,
): Promise<Partitioning> {
  const [mode, total]: [Mode, number] = spec === 'slots' ? ['slots', SLOTS] : ['static', spec];
  if (mode === 'static') await indexPartitions(tx, total);
  const groupId = await createLeaseGroup(tx, { tenant: '', kind: LEASE_GROUP_TYPE[mode], priority: 0 });
  const leases = await addLeases(tx, groupId, Array(total).fill({ after: cursor, upTo: null }));
  const readers = leases.map((lease, part) => ({ name: nameOf(workflow, part, spec), part, lease }));
  const partitioning = { workflow, epoch, mode, total, groupId, readers };
  await writePartitioning(tx, partitioning);
  await addReaders(tx, partitioning);
  return partitioning;
}

function nameOf(workflow: string, part: number, spec: PartitionSpec): string {
  return spec === 'slots' ? makeSlotReaderName(workflow, part) : makeReaderName(workflow, part, spec);
}

export function partitionSpecOf({ mode, total }: Partitioning): PartitionSpec {
  return mode === 'slots' ? 'slots' : total;
}

/** For display: `3 partitions`. */
export function formatPartitionSpec(spec: PartitionSpec): string {
  return spec === 'slots' ? 'slots' : spec === 1 ? '1 partition' : `${spec} partitions`;
}

export function scaleCommand(workflow: string, from: PartitionSpec, to: PartitionSpec): string {
  return `seine partitions scale --workflow ${workflow} --from ${from} --to ${to}`;
}

function partitioningMismatch(partitioning: Partitioning, wanted: PartitionSpec): SeineError {
  const { workflow } = partitioning;
  const spec = partitionSpecOf(partitioning);
  const fitting = spec === 'slots' ? 'without --partition' : `with --partition 0/${spec}`;
  const others = spec === 'slots' || spec === 1 ? '' : ` (or another of the ${spec})`;
  return new SeineError(
    'conflict',
    `The workflow ${workflow} is partitioned into ${formatPartitionSpec(spec)}, not into ${formatPartitionSpec(wanted)}.`,
    { hint: `Start it ${fitting}${others}, or change that: ${scaleCommand(workflow, spec, wanted)}` },
  );
}
