/**
 * Scaling by reader names, as in the parallelization guide. A `rescale` (scaling.ts) from all existing partitions to all new ones: reader names
 * contain the number of partitions, so every id gets a reader of another name.
 */
import { SeineError } from '../../base/errors.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { compareOffsets, type Offset } from '../../events/offset.ts';
import { createPartitionedConfigs, type PartitionConfig } from './partition.ts';
import { offsetsOf } from './partitioning-store.ts';
import { rescale, type Scaled, type ScaleOptions } from './scaling.ts';

/** The smallest offset of these readers. A missing or retired reader is an error: it has no offset, rather than the offset 0. */
export async function getMinOffset(db: Queryable, readerNames: readonly string[]): Promise<Offset> {
  const offsets = await offsetsOf(db, readerNames);
  const missing = readerNames.filter((name) => !offsets.has(name));
  const [smallest] = [...offsets.values()].toSorted(compareOffsets);
  if (smallest && missing.length === 0) return smallest;
  throw new SeineError(
    'not-found',
    missing.length > 0 ? `No such reader: ${missing.join(', ')}.` : 'No reader given.',
    { hint: 'List them: seine partitions status' },
  );
}

/** From the existing readers to more of them. All must be named: each id gets the reader of its new partition. */
export async function migrateOffsetsOnScaleUp(
  db: Database,
  existingReaderNames: readonly string[],
  newReaderNames: readonly string[],
  options: ScaleOptions = {},
): Promise<Scaled> {
  const [old, next] = [partitionsNamed(existingReaderNames), partitionsNamed(newReaderNames)];
  if (next.total < old.total) throw wrongDirection(old.total, next.total, 'mergeOffsetsOnScaleDown');
  return rescaleNamed(db, old, next, options);
}

/** From the existing readers to fewer. They continue at the smallest offset: a larger one would skip events that others have not read. */
export async function mergeOffsetsOnScaleDown(
  db: Database,
  existingReaderNames: readonly string[],
  newReaderNames: readonly string[],
  options: ScaleOptions = {},
): Promise<Scaled> {
  const [old, next] = [partitionsNamed(existingReaderNames), partitionsNamed(newReaderNames)];
  if (next.total > old.total) throw wrongDirection(old.total, next.total, 'migrateOffsetsOnScaleUp');
  return rescaleNamed(db, old, next, options);
}

/** In either direction. */
export async function rebalancePartitions(
  db: Database,
  oldConfigs: readonly PartitionConfig[],
  newConfigs: readonly PartitionConfig[],
  options: ScaleOptions = {},
): Promise<Scaled> {
  const [old, next] = [oldConfigs, newConfigs].map((configs) =>
    partitionsNamed(configs.map(({ readerName }) => readerName)),
  );
  return rescaleNamed(db, old!, next!, options);
}

interface Partitions {
  readonly workflow: string;
  readonly total: number;
}

function rescaleNamed(db: Database, old: Partitions, next: Partitions, options: ScaleOptions) {
  if (old.workflow === next.workflow) return rescale(db, old.workflow, old.total, next.total, options);
  throw new SeineError('usage', `These are readers of two workflows: ${old.workflow} and ${next.workflow}.`, {
    hint: 'A reader can only be followed by readers of the same workflow.',
  });
}

/** Checks that these are all partitions of one workflow, and returns them. */
function partitionsNamed(names: readonly string[]): Partitions {
  const [, workflow, total] = /^(.+)_runner_partition_\d+_of_(\d+)$/.exec(names[0] ?? '') ?? [];
  if (workflow !== undefined) {
    const all = createPartitionedConfigs(Number(total), workflow);
    const named = new Set(names);
    if (named.size === all.length && all.every(({ readerName }) => named.has(readerName)))
      return { workflow, total: all.length };
  }
  throw new SeineError(
    'usage',
    `These are not all partitions of one workflow: ${names.join(', ') || 'none'}.`,
    {
      hint: 'Pass all reader names of createPartitionedConfigs(total, workflow).',
    },
  );
}

function wrongDirection(from: number, to: number, other: string): SeineError {
  return new SeineError('usage', `From ${from} to ${to} partitions is the other direction.`, {
    hint: `Use ${other}, or rebalancePartitions, which does both.`,
  });
}
