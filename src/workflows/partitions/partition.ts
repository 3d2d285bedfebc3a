/**
 * Static partitions, as in the parallelization guide: a workflow's ids are distributed over a fixed number of readers by their hash, one process for
 * each.
 */
import { SeineError } from '../../base/errors.ts';
import { partitionOf } from '../../events/hash.ts';

/** A larger number is probably a mistake: each partition is a process. */
export const MAX_PARTITIONS = 1024;

export interface PartitionConfig {
  readonly partitionIndex: number;
  readonly totalPartitions: number;
  readonly workflow: string;
  readonly readerName: string;
  /** Whether a workflow id belongs to this partition. */
  readonly owns: (id: string) => boolean;
}

/** All partitions of a workflow. */
export function createPartitionedConfigs(total: number, workflow: string): PartitionConfig[] {
  checkTotal(total);
  return Array.from({ length: total }, (_, index) => ({
    partitionIndex: index,
    totalPartitions: total,
    workflow,
    readerName: makeReaderName(workflow, index, total),
    owns: makeHashPartitionRule(index, total),
  }));
}

export function makeReaderName(workflow: string, index: number, total: number): string {
  checkPartition(index, total);
  return `${workflow}_runner_partition_${index}_of_${total}`;
}

export function makeSlotReaderName(workflow: string, slot: number): string {
  return `${workflow}_slot_${slot}`;
}

export function makeHashPartitionRule(index: number, total: number): (id: string) => boolean {
  checkPartition(index, total);
  return (id) => partitionOf(id, total) === index;
}

export interface Partition {
  readonly index: number;
  readonly total: number;
}

/**
 * The partition this process was started for: from `--partition 0/3`, else from PARTITION_INDEX and TOTAL_PARTITIONS. Null if neither is given.
 */
export function parsePartitionOption(
  text: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Partition | null {
  const [index, total] = text === undefined ? envPair(env) : splitPair(text);
  if (index === undefined || total === undefined) return null;
  const partition = { index: parseIndex(index), total: parseIndex(total) };
  checkPartition(partition.index, partition.total);
  return partition;
}

function splitPair(text: string): [string, string] {
  const [index = '', total = '', ...more] = text.split('/').map((half) => half.trim());
  if (index && total && more.length === 0) return [index, total];
  throw new SeineError('usage', `"${text}" is no partition.`, {
    hint: 'Give the index, from 0, and the total: --partition 0/3',
  });
}

/** An empty variable counts as unset, as in many tools. */
function envPair(env: Readonly<Record<string, string | undefined>>): (string | undefined)[] {
  const names = ['PARTITION_INDEX', 'TOTAL_PARTITIONS'] as const;
  const [index, total] = names.map((name) => env[name]?.trim() || undefined);
  if ((index === undefined) === (total === undefined)) return [index, total];
  const [there, missing] = index === undefined ? names.toReversed() : names;
  throw new SeineError('usage', `${there} is set, and ${missing} is not.`, {
    hint: 'Set both, for example PARTITION_INDEX=0 TOTAL_PARTITIONS=3, or neither.',
  });
}

function parseIndex(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SeineError('usage', `"${text}" is no number of a partition.`, {
    hint: 'Partitions are whole numbers, counted from 0: the first of three is 0/3.',
  });
}

function checkPartition(index: number, total: number): void {
  checkTotal(total);
  if (Number.isInteger(index) && index >= 0 && index < total) return;
  throw new SeineError('usage', `There is no partition ${index} of ${total}.`, {
    hint: `They are counted from 0: the last of ${total} is ${total - 1}/${total}.`,
  });
}

export function checkTotal(total: number): void {
  if (Number.isInteger(total) && total >= 1 && total <= MAX_PARTITIONS) return;
  throw new SeineError('usage', `A workflow can't have ${total} partitions.`, {
    hint: `Choose a whole number from 1 to ${MAX_PARTITIONS}.`,
  });
}
