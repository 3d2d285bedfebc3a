/** A scan of a source in memory, inspected in this thread: the real engine, without processes. */
import { randomUUID } from 'node:crypto';
import { FULL_RANGE, type Range } from '../../src/base/range.ts';
import { WakeSignal } from '../../src/base/wake-signal.ts';
import type { Database } from '../../src/db/database.ts';
import type { Jobs } from '../../src/engine/jobs/jobs.ts';
import { createLeaseGroup } from '../../src/engine/leases/lease-group-store.ts';
import { hostAffinity } from '../../src/engine/workers/worker.ts';
import { DEFAULT_RULES, type RuleSet, ruleSetHash } from '../../src/governance/rule-set.ts';
import { initialPacerState } from '../../src/scans/checkpoint/checkpoint-pacer.ts';
import { Inspector } from '../../src/scans/detect/inspector.ts';
import type { InspectionQueue } from '../../src/scans/detect/scan-queue.ts';
import { InventoryHash } from '../../src/scans/inventory/inventory.ts';
import { withScanEvents } from '../../src/scans/lifecycle/scan-events.ts';
import { findBase, insertScan, readScan } from '../../src/scans/lifecycle/scan-store.ts';
import { inventoryKey, SHARD } from '../../src/scans/lifecycle/start-scan.ts';
import { NameMasker } from '../../src/scans/names/name-masker.ts';
import { WorkStealer } from '../../src/scans/planning/work-stealer.ts';
import type { Inspection } from '../../src/scans/results/inspection.ts';
import type { ScanContextCache } from '../../src/scans/scan-context.ts';
import { LiveCounters } from '../../src/scans/shard/live-counters.ts';
import type { ShardContext } from '../../src/scans/shard/shard-context.ts';
import { addRanges } from '../../src/scans/shard/shard-store.ts';
import { suppressionChange } from '../../src/scans/suppressions/stale-rows.ts';
import type { ActiveSuppression } from '../../src/scans/suppressions/suppression.ts';
import { snapshotSuppressions } from '../../src/scans/suppressions/suppression-store.ts';
import type { WorkerContext } from '../../src/scans/worker-context.ts';
import type { Source, SourceObject } from '../../src/sources/source.ts';

const secret = Buffer.alloc(32, 7);

/** A running scan with these shards, as `plan` would leave it. */
export async function plannedScan(
  db: Database,
  source: Source,
  ranges: readonly Range[] = [FULL_RANGE],
  rules: RuleSet = DEFAULT_RULES,
): Promise<number> {
  const like = {
    tenant: 'default',
    source: source.id,
    inventoryKey: inventoryKey(rules, 100),
    scopeHash: 'all',
    wholeScope: 'all',
  };
  return withScanEvents(db, async (tx, appendEvent) => {
    const base = await findBase(tx, like);
    const id = await createLeaseGroup(tx, { tenant: 'default', kind: SHARD, priority: 0 });
    await insertScan(tx, id, {
      ...like,
      base,
      target: source.id,
      scope: {},
      ruleSet: rules,
      rulesHash: ruleSetHash(rules),
      rulesFile: null,
      initialState: null,
      maxFindingsPerType: 100,
    });
    await snapshotSuppressions(tx, id);
    await addRanges(tx, id, ranges);
    appendEvent(id, { type: 'requested', source: source.id, rules: 'default', base, shards: ranges.length });
    return id;
  });
}

export interface SentJob {
  readonly name: string;
  readonly data: object;
}

/** Remembers what was sent; a rolled back transaction takes it back, like the real one. */
export function recordingJobs(db: Database): { jobs: Jobs; sent: () => Promise<SentJob[]> } {
  const made = madeTable(db);
  return {
    jobs: {
      async send(tx, name, data) {
        await made;
        await tx.query('insert into sent_job (name, data) values ($1, $2)', [name, JSON.stringify(data)]);
      },
      wake() {},
      async stop() {},
    },
    async sent() {
      await made;
      return (await db.query<SentJob>('select name, data from sent_job order by id')).rows;
    },
  };
}

/** Once for each database: concurrent `create table if not exists` statements can conflict. */
function madeTable(db: Database): Promise<unknown> {
  const made =
    tables.get(db) ?? db.query('create table if not exists sent_job (id serial, name text, data jsonb)');
  tables.set(db, made);
  return made;
}

const tables = new WeakMap<Database, Promise<unknown>>();

/** Inspects objects one after another, asynchronously after they were submitted. */
export function inspectInProcess(
  source: Source,
  inspect = (_: SourceObject, inspection: () => Inspection) => inspection(),
  accepted: readonly ActiveSuppression[] = [],
  rules: RuleSet = DEFAULT_RULES,
): InspectionQueue {
  const inspector = new Inspector(source, { rules, secret, maxFindingsPerType: 100, accepted });
  return {
    full: false,
    fault: null,
    waitForRoom: async () => {},
    ready: async () => {},
    addUnwritten() {},
    markWritten() {},
    forceDispatch() {},
    flush() {},
    submit: (object, done) =>
      void setImmediate(() => done(inspect(object, () => inspector.inspectSync(object)!))),
  };
}

/** For one shard. */
export function shardDeps(
  db: Database,
  source: Source,
  jobs: Jobs,
  more: Partial<ShardContext> = {},
): ShardContext {
  return {
    db,
    source,
    jobs,
    queue: inspectInProcess(source),
    hash: new InventoryHash(secret),
    base: null,
    inventoryKey: inventoryKey(DEFAULT_RULES, 100),
    ttlMs: 60_000,
    live: new LiveCounters(),
    ...more,
  };
}

interface WorkerDepsOptions extends Partial<WorkerContext> {
  readonly pool?: InspectionQueue;
}

/** Dependencies of workers that process scans of this source. */
export function workerDeps(
  db: Database,
  source: Source,
  jobs: Jobs,
  more: WorkerDepsOptions = {},
): WorkerContext {
  const { pool = inspectInProcess(source), ...rest } = more;
  return {
    db,
    jobs,
    contexts: contextsOver(db, source, pool),
    ttlMs: 60_000,
    live: new LiveCounters(),
    worker: randomUUID(),
    hostAffinity: hostAffinity(),
    offers: [],
    concurrency: 2,
    wakeSignal: new WakeSignal(),
    onError: () => {},
    ...rest,
  };
}

/** Every scan has the same source. */
function contextsOver(db: Database, source: Source, pool: InspectionQueue): ScanContextCache {
  const stopped = new AbortController().signal;
  const hash = new InventoryHash(secret);
  const names = new NameMasker(secret);
  const stealers = new Map<number, WorkStealer>();
  return {
    fault: null,
    async of(id) {
      const stealer = stealers.get(id) ?? new WorkStealer(db, id, source, { storage: names });
      stealers.set(id, stealer);
      const pacerState = initialPacerState();
      const scan = (await readScan(db, id))!;
      return {
        scan,
        inventoryKey: inventoryKey(scan.ruleSet, scan.maxFindingsPerType),
        change: await suppressionChange(db, scan),
        source,
        queue: pool,
        hash,
        names,
        stealer,
        pacerState,
        budgeted: false,
        stopped,
      };
    },
    async drop() {},
    async evictIdle() {},
    async close() {},
  };
}
