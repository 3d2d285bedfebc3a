/** How workflows are shared among readers, how far those have come, and who they are. */
import type { Queryable } from '../../db/database.ts';
import { compareOffsets } from '../../events/offset.ts';
import type { Mode } from '../partitions/layout-store.ts';
import {
  type ReaderLine,
  type RunnerLine,
  readerLines,
  recentEvents,
  runnerLines,
  type WaitingLine,
  type WaitingWork,
  waitingForVersions,
  waitingWork,
} from './partition-store.ts';

export interface PartitionStatus {
  readonly workflow: string;
  readonly mode: Mode;
  readonly total: number;
  readonly epoch: number;
  /** Events of the last minute, as far as they were counted. */
  readonly lastMinute: number;
  /** Events that wait, as far as they were counted. */
  readonly lag: number;
  /** Workflows that wait for newer code, by the version they need. */
  readonly waitingForCode: readonly Omit<WaitingLine, 'workflow'>[];
  /** How long the first of them has waited; null: none waits. */
  readonly waitingSeconds: number | null;
  /** Messages and actions, as far as they were counted. */
  readonly waiting: Omit<WaitingWork, 'workflow'>;
  /** Whose offset is the smallest: no event beyond it is archived. */
  readonly slowest: ReaderLine;
  readonly readers: readonly ReaderLine[];
  /** Parts by who holds them; nobody is null. */
  readonly holders: readonly Holder[];
}

export interface Holder {
  readonly holder: string | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly parts: readonly number[];
  readonly lag: number;
  /** When the first of its holds ends, unless it gives a sign of life. */
  readonly expiresAt: Date | null;
}

/** What lies ahead of one reader, and what came in a minute, is counted up to here. */
const MOST = 10_000;

/** Of one workflow, or of all that are read by somebody. */
export async function partitionStatus(
  db: Queryable,
  workflow: string | null = null,
): Promise<{ readonly workflows: readonly PartitionStatus[]; readonly runners: readonly RunnerLine[] }> {
  const readers = Map.groupBy(await readerLines(db, workflow, MOST), (reader) => reader.workflow);
  const recent = await recentEvents(db, [...readers.keys()], MOST);
  const minutes = new Map(recent.map((row) => [row.workflow, row.events]));
  const deferred = await waitingForVersions(db, [...readers.keys()], MOST);
  const waiting = new Map(
    (await waitingWork(db, [...readers.keys()], MOST)).map((row) => [row.workflow, row]),
  );
  const workflows = [...readers].map(([name, lines]) => {
    const waitingForCode = deferred
      .filter((one) => one.workflow === name)
      .map(({ version, workflows: count, runners }) => ({ version, workflows: count, runners }));
    return { ...statusOf(lines, minutes.get(name) ?? 0, waiting.get(name)!), waitingForCode };
  });
  return { workflows, runners: await runnerLines(db, workflow) };
}

function statusOf(
  readers: readonly ReaderLine[],
  lastMinute: number,
  { messages, actions, runningActions }: WaitingWork,
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

function holderOf(readers: readonly ReaderLine[]): Holder {
  const { holder, host, pid } = readers[0]!;
  const ends = readers.flatMap(({ expiresAt }) => expiresAt ?? []).toSorted((a, b) => +a - +b);
  const parts = readers.map(({ part }) => part);
  return { holder, host, pid, parts, lag: sumOf(readers), expiresAt: ends[0] ?? null };
}

function offsetOf({ xid, position }: ReaderLine) {
  return { xid: BigInt(xid), position: BigInt(position) };
}

function sumOf(readers: readonly ReaderLine[]): number {
  return readers.reduce((sum, { lag }) => sum + lag, 0);
}
