/** The partitions of workflows, the lag of their readers, and the runners. */
import type { Queryable } from '../../db/database.ts';
import { compareOffsets } from '../../events/offset.ts';
import type { Mode } from '../partitions/partitioning-store.ts';
import {
  countPendingWork,
  listReaders,
  listRunners,
  listVersionBacklog,
  type PendingWork,
  type ReaderSummary,
  type RunnerSummary,
  recentEvents,
  type VersionBacklog,
} from './partition-store.ts';

export interface PartitionStatus {
  readonly workflow: string;
  readonly mode: Mode;
  readonly total: number;
  readonly epoch: number;
  /** Events of the last minute, up to the count limit. */
  readonly lastMinute: number;
  /** Unread events, up to the count limit. */
  readonly lag: number;
  /** Workflows that wait for newer code, by the version they need. */
  readonly waitingForCode: readonly Omit<VersionBacklog, 'workflow'>[];
  /** Age of the oldest unread event; null: none. */
  readonly waitingSeconds: number | null;
  /** Pending messages and actions, up to the count limit. */
  readonly waiting: Omit<PendingWork, 'workflow'>;
  /** The reader with the smallest offset: no event after it is archived. */
  readonly slowest: ReaderSummary;
  readonly readers: readonly ReaderSummary[];
  /** Partitions by holder; null: not held. */
  readonly holders: readonly Holder[];
}

export interface Holder {
  readonly holder: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly parts: readonly number[];
  readonly lag: number;
  /** When the first of its leases expires, unless renewed. */
  readonly expiresAt: Date | null;
}

/** Limit for counting the lag of one reader, and the events of a minute. */
const MAX_COUNTED = 10_000;

/** Of one workflow, or of all that have readers. */
export async function partitionStatus(
  db: Queryable,
  workflow: string | null = null,
): Promise<{ readonly workflows: readonly PartitionStatus[]; readonly runners: readonly RunnerSummary[] }> {
  const readers = Map.groupBy(await listReaders(db, workflow, MAX_COUNTED), (reader) => reader.workflow);
  const recent = await recentEvents(db, [...readers.keys()], MAX_COUNTED);
  const minutes = new Map(recent.map((row) => [row.workflow, row.events]));
  const deferred = await listVersionBacklog(db, [...readers.keys()], MAX_COUNTED);
  const waiting = new Map(
    (await countPendingWork(db, [...readers.keys()], MAX_COUNTED)).map((row) => [row.workflow, row]),
  );
  const workflows = [...readers].map(([name, lines]) => {
    const waitingForCode = deferred
      .filter((one) => one.workflow === name)
      .map(({ version, workflows: count, runners }) => ({ version, workflows: count, runners }));
    return { ...statusOf(lines, minutes.get(name) ?? 0, waiting.get(name)!), waitingForCode };
  });
  return { workflows, runners: await listRunners(db, workflow) };
}

function statusOf(
  readers: readonly ReaderSummary[],
  lastMinute: number,
  { messages, actions, runningActions }: PendingWork,
): Omit<PartitionStatus, 'waitingForCode'> {
  const { workflow, mode, total, epoch } = readers[0]!;
  const [slowest] = readers.toSorted((a, b) => compareOffsets(offsetOf(a), offsetOf(b)));
  const holders = [...Map.groupBy(readers, ({ holder }) => holder).values()].map(holderOf);
  const lag = sumOf(readers);
  const waits = readers.flatMap(({ waitingSeconds }) => waitingSeconds ?? []);
  const waitingSeconds = waits.length > 0 ? Math.max(...waits) : null;
  return {
    workflow,
    mode,
    total,
    epoch,
    lastMinute,
    lag,
    waitingSeconds,
    waiting: { messages, actions, runningActions },
    slowest: slowest!,
    readers,
    holders,
  };
}

function holderOf(readers: readonly ReaderSummary[]): Holder {
  const { holder, host, pid } = readers[0]!;
  const ends = readers.flatMap(({ expiresAt }) => expiresAt ?? []).toSorted((a, b) => +a - +b);
  const parts = readers.map(({ part }) => part);
  return { holder, host, pid, parts, lag: sumOf(readers), expiresAt: ends[0] ?? null };
}

function offsetOf({ xid, position }: ReaderSummary) {
  return { xid: BigInt(xid), position: BigInt(position) };
}

function sumOf(readers: readonly ReaderSummary[]): number {
  return readers.reduce((sum, { lag }) => sum + lag, 0);
}
