/**
 * Reads one snapshot: about ten small statements in one transaction, on one connection, for any size of the
 * scan.
 */
import type { Database, Tx } from '../../db/database.ts';
import type { BudgetState } from '../../engine/budget/budget.ts';
import { readBudget } from '../../engine/budget/budget-store.ts';
import { readHealth } from '../../workflows/queries/health.ts';
import { listRunners } from '../../workflows/queries/partition-store.ts';
import { listWaitingHooks } from '../hooks/waiting-store.ts';
import { latestScanEvents } from '../lifecycle/scan-event-store.ts';
import type { ObjectOutcome } from '../results/report.ts';
import { timeLeft } from './eta.ts';
import type {
  Amount,
  BudgetUsage,
  Done,
  Estimate,
  HeldShard,
  Rate,
  RunnersNow,
  ScanlessSnapshot,
  Snapshot,
  Surroundings,
  WorkerStatus,
} from './snapshot.ts';
import {
  beginReadOnly,
  countConnections,
  countDeadLetters,
  countShards,
  readClock,
  readEstimate,
  readLeadership,
  readScanProgress,
  sumOfEarlierScan,
  sumOutcomes,
} from './snapshot-store.ts';
import {
  countWorkers,
  listWorkers,
  shardsOfWorkers,
  stalledShards,
  type WorkerRow,
} from './worker-activity-store.ts';

export interface SnapshotOptions {
  /** Maximum number of workers listed; all are counted. */
  readonly workers?: number;
  /** A worker without a heartbeat for this long is stale. */
  readonly staleMs?: number;
  /** The known estimate of the total; it is read from the database otherwise. */
  readonly estimate?: Estimate | null;
}

const MOST_WORKERS = 50;
const STALE_MS = 60_000;
const MAX_STALLED_SHARDS = 10;
const MAX_ERROR_GROUPS = 10;
const SHARDS_EACH = 4;
const EVENTS = 5;
const HOOKS = 10;

/** Returns null if there is no such scan. Its speeds are averages; `watchScan` computes current ones. */
export function readSnapshot(
  db: Database,
  scan: number,
  { estimate: given, ...options }: SnapshotOptions = {},
): Promise<Snapshot | null> {
  return db.tx(async (tx) => {
    await beginReadOnly(tx);
    const progress = await readScanProgress(tx, scan);
    if (progress === null) return null;
    const { at, ...now } = progress;
    const around = await surroundings(tx, scan, at, options);
    const done = sumOf(await sumOutcomes(tx, scan));
    const estimate = now.status === 'running' ? (given ?? (await estimateOf(tx, scan))) : null;
    const rate = averageRate(done, now.workedSeconds || now.elapsedSeconds);
    return {
      ...around,
      scan: now,
      done,
      estimate,
      rate,
      eta: timeLeft(done, estimate, [rate]),
      shards: await countShards(tx, scan),
      stillest: await stalledShards(tx, scan, MAX_STALLED_SHARDS),
      deadLetters: await countDeadLetters(tx, scan, MAX_ERROR_GROUPS),
      hooks: await listWaitingHooks(tx, { scan, staleMs: options.staleMs ?? STALE_MS, limit: HOOKS }),
      budget: budgetUsageOf(await readBudget(tx, scan)),
      events: await latestScanEvents(tx, scan, EVENTS),
    };
  });
}

/** What there is to see where no scan has been. */
export function readWithoutScan(
  db: Database,
  options: Omit<SnapshotOptions, 'estimate'> = {},
): Promise<ScanlessSnapshot> {
  return db.tx(async (tx) => {
    await beginReadOnly(tx);
    return { scan: null, ...(await surroundings(tx, null, await readClock(tx), options)) };
  });
}

async function surroundings(
  tx: Tx,
  scan: number | null,
  at: Date,
  { workers = MOST_WORKERS, staleMs = STALE_MS }: SnapshotOptions,
): Promise<Surroundings> {
  return {
    at: at.toISOString(),
    workers: {
      ...(await countWorkers(tx, scan, staleMs)),
      list: await readWorkerStatuses(tx, scan, staleMs, workers),
    },
    leader: await readLeadership(tx),
    connections: await countConnections(tx),
    workflows: { ...(await readHealth(tx)), runners: await runnersNow(tx, at, staleMs, workers) },
  };
}

async function runnersNow(tx: Tx, at: Date, staleMs: number, most: number): Promise<RunnersNow> {
  const runners = (await listRunners(tx, null)).map(({ versions: _, startedAt, seenAt, ...runner }) => ({
    ...runner,
    stale: +at - +seenAt > staleMs,
    startedSeconds: (+at - +startedAt) / 1000,
    seenSeconds: (+at - +seenAt) / 1000,
  }));
  const staleFirst = runners.toSorted((a, b) => Number(b.stale) - Number(a.stale));
  return {
    total: runners.length,
    stale: runners.filter(({ stale }) => stale).length,
    list: staleFirst.slice(0, most),
  };
}

function sumOf(rows: readonly (Amount & { readonly outcome: ObjectOutcome })[]): Done {
  const nothing: Amount = { objects: 0, bytes: 0 };
  const outcomes: Record<ObjectOutcome, Amount> = {
    scanned: nothing,
    unchanged: nothing,
    partial: nothing,
    skipped: nothing,
    dead: nothing,
  };
  let [objects, bytes] = [0, 0];
  for (const row of rows) {
    outcomes[row.outcome] = { objects: row.objects, bytes: row.bytes };
    objects += row.objects;
    bytes += row.bytes;
  }
  return { objects, bytes, outcomes };
}

async function estimateOf(tx: Tx, scan: number): Promise<Estimate | null> {
  const planned = await readEstimate(tx, scan);
  if (planned !== null) return { from: 'plan', ...planned };
  const earlier = await sumOfEarlierScan(tx, scan);
  if (earlier === null) return null;
  const exactly = (n: number) => ({ low: n, likely: n, high: n });
  return { from: 'earlier scan', objects: exactly(earlier.objects), bytes: exactly(earlier.bytes) };
}

function averageRate(done: Amount, seconds: number): Rate {
  const per = (amount: number) => (seconds > 0 ? amount / seconds : 0);
  return {
    objectsPerSecond: per(done.objects),
    bytesPerSecond: per(done.bytes),
    overSeconds: seconds,
  };
}

async function readWorkerStatuses(
  tx: Tx,
  scan: number | null,
  staleMs: number,
  max: number,
): Promise<WorkerStatus[]> {
  const rows = await listWorkers(tx, scan, staleMs, max);
  const holders = rows.filter((row) => row.holding > 0).map((row) => row.id);
  const shards = await shardsOfWorkers(tx, scan, holders, SHARDS_EACH);
  const held = Map.groupBy(shards, (shard) => shard.worker);
  return rows.map((row) => toWorkerStatus(row, held.get(row.id) ?? []));
}

function toWorkerStatus(row: WorkerRow, holds: readonly HeldShard[]): WorkerStatus {
  const { objectsPerSecond, bytesPerSecond } = averageRate(row, row.startedSeconds);
  const waiting = waitingShare(row.waitedSeconds, row.startedSeconds, row.hands);
  return { ...row, holds, objectsPerSecond, bytesPerSecond, waiting };
}

/** Several shards can wait at the same time: the sum is divided by the worker's concurrency. */
export function waitingShare(waitedSeconds: number, seconds: number, hands: number): number {
  return seconds > 0 ? Math.min(1, waitedSeconds / (seconds * Math.max(1, hands))) : 0;
}

/** The usage per limit of a budget; unlimited quantities are omitted. */
function budgetUsageOf(state: BudgetState | null): BudgetUsage[] | null {
  if (state === null) return null;
  const { limits, used, exhaustedLimit } = state;
  const lines = [
    { what: 'requests', spent: used.requests, limit: limits.requests },
    { what: 'bytes', spent: used.bytes, limit: limits.bytes },
    { what: 'cost', spent: used.cost, limit: limits.cost },
    { what: 'time', spent: used.seconds, limit: limits.seconds },
  ] as const;
  return lines.flatMap(({ limit, ...line }) =>
    limit === undefined
      ? []
      : [{ ...line, limit, currency: limits.currency ?? '$', met: exhaustedLimit === line.what }],
  );
}
