/** A scan in full operation, for tests: override the fields that the test is about. */
import type {
  HeldShard,
  RunnerNow,
  ScanlessSnapshot,
  Snapshot,
  WorkerStatus,
  WorkersNow,
  WorkflowsNow,
} from './snapshot.ts';

export function sampleSnapshot(change: Partial<Snapshot> = {}): Snapshot {
  return {
    at: '2025-03-01T10:00:00.000Z',
    scan: {
      id: 12,
      source: 's3:harbour-archive/exports',
      status: 'running',
      error: null,
      round: 0,
      paused: false,
      place: null,
      elapsedSeconds: 252,
      workedSeconds: 252,
    },
    done: {
      objects: 12_345,
      bytes: 1.23e9,
      outcomes: {
        scanned: { objects: 12_000, bytes: 1.2e9 },
        unchanged: { objects: 300, bytes: 3e7 },
        partial: { objects: 40, bytes: 0 },
        skipped: { objects: 4, bytes: 0 },
        dead: { objects: 1, bytes: 0 },
      },
    },
    estimate: {
      from: 'plan',
      objects: { low: 30_000, likely: 36_000, high: 42_000 },
      bytes: { low: 3.2e9, likely: 3.6e9, high: 4.1e9 },
    },
    rate: { objectsPerSecond: 1204, bytesPerSecond: 1.2e7, overSeconds: 10 },
    eta: { shortest: 130, longest: 290 },
    shards: {
      waiting: 180,
      held: 8,
      done: 812,
      failed: 1,
      cancelled: 0,
      delayed: 0,
      expired: 0,
      splits: 14,
      retries: 3,
    },
    stillest: [],
    deadLetters: { total: 0, lastMinute: 0, signatures: [] },
    hooks: [],
    leader: { worker: 'w-1', host: 'pier-1', pid: 4101, sinceSeconds: 7300, term: 4 },
    budget: null,
    connections: { used: 34, most: 97 },
    workflows: sampleWorkflows(),
    events: [],
    workers: sampleWorkers([1, 2, 3].map((n) => sampleWorker(n))),
    ...change,
  };
}

/** Runners of workflows, without a scan or workers. */
export function sampleScanless(change: Partial<ScanlessSnapshot> = {}): ScanlessSnapshot {
  const { at, leader, connections } = sampleSnapshot();
  const runners = { total: 2, stale: 0, list: [sampleRunner(1), sampleRunner(2)] };
  const workflows = sampleWorkflows({ runners });
  return { scan: null, at, leader, connections, workflows, workers: sampleWorkers([]), ...change };
}

export function sampleWorkflows(change: Partial<WorkflowsNow> = {}): WorkflowsNow {
  const runners = { total: 0, stale: 0, list: [] };
  return { stall: null, unserved: [], parked: [], rejected: [], runners, ...change };
}

export function sampleRunner(n: number, change: Partial<RunnerNow> = {}): RunnerNow {
  return {
    id: `r-${n}`,
    host: `quay-${n}`,
    pid: 5100 + n,
    version: '0.2.0',
    workflows: ['order', 'shipment'],
    parts: 128,
    actions: 3,
    stale: false,
    startedSeconds: 260,
    seenSeconds: 1,
    ...change,
  };
}

export function sampleWorkers(list: readonly WorkerStatus[], change: Partial<WorkersNow> = {}): WorkersNow {
  return {
    total: list.length,
    ready: list.filter((worker) => !worker.stale && !worker.draining).length,
    holding: list.filter((worker) => worker.holding > 0).length,
    draining: list.filter((worker) => worker.draining).length,
    stale: list.filter((worker) => worker.stale).length,
    refused: 0,
    list,
    ...change,
  };
}

export function sampleWorker(n: number, change: Partial<WorkerStatus> = {}): WorkerStatus {
  return {
    id: `w-${n}`,
    host: `pier-${n}`,
    pid: 4100 + n,
    version: '0.1.0',
    threads: 8,
    hands: 4,
    draining: false,
    stale: false,
    holds: [sampleShard(n)],
    holding: 1,
    startedSeconds: 260,
    seenSeconds: 1,
    progressSeconds: 2,
    objects: 4000,
    bytes: 4e8,
    waitedSeconds: 0,
    objectsPerSecond: 400 + n,
    bytesPerSecond: 4e6,
    waiting: 0,
    ...change,
  };
}

export function sampleShard(n: number, change: Partial<HeldShard> = {}): HeldShard {
  return {
    shard: 800 + n,
    kind: 'range',
    worker: `w-${n}`,
    after: `exports/202${n}/`,
    cursor: `exports/202${n}/04/orders-17.csv`,
    upTo: `exports/202${n + 1}/`,
    heldSeconds: 40,
    stillSeconds: 2,
    workerStillSeconds: 2,
    ...change,
  };
}
