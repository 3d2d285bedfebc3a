/** A scan over a source in memory, looked at in this thread: the real engine, without processes. */
import { randomUUID } from 'node:crypto';
import { Bell } from '../../src/base/bell.ts';
import { EVERYTHING, type Range } from '../../src/base/range.ts';
import type { Database } from '../../src/db/database.ts';
import type { Jobs } from '../../src/engine/jobs/jobs.ts';
import { createWork } from '../../src/engine/leases/work-store.ts';
import { placeOf } from '../../src/engine/workers/worker.ts';
import { DEFAULT_RULES, type RuleSet, ruleSetHash } from '../../src/governance/rule-set.ts';
import { Inspector } from '../../src/scans/detect/inspector.ts';
import type { ObjectInspectors } from '../../src/scans/detect/lane.ts';
import type { Inspection } from '../../src/scans/inspection.ts';
import { InventoryHash } from '../../src/scans/inventory.ts';
import { LiveCounters } from '../../src/scans/live-counters.ts';
import { NameMasker } from '../../src/scans/names/name-masker.ts';
import { noExperience } from '../../src/scans/pace.ts';
import type { HandTools } from '../../src/scans/run-scan.ts';
import type { Contexts } from '../../src/scans/scan-context.ts';
import { telling } from '../../src/scans/scan-events.ts';
import { findBase, insertScan, readScan } from '../../src/scans/scan-store.ts';
import type { ShardTools } from '../../src/scans/shard-progress.ts';
import { addRanges } from '../../src/scans/shard-store.ts';
import { inventoryKey, SHARD } from '../../src/scans/start.ts';
import { Thief } from '../../src/scans/steal.ts';
import { suppressionChange } from '../../src/scans/suppressions/stale-rows.ts';
import type { Accepted } from '../../src/scans/suppressions/suppression.ts';
import { snapshotSuppressions } from '../../src/scans/suppressions/suppression-store.ts';
import type { Source, SourceObject } from '../../src/sources/source.ts';

const secret = Buffer.alloc(32, 7);

/** A running scan with these shards, as `plan` would leave it. */
export async function plannedScan(
  db: Database,
  source: Source,
  ranges: readonly Range[] = [EVERYTHING],
  rules: RuleSet = DEFAULT_RULES,
): Promise<number> {
  const like = {
    tenant: 'default',
    source: source.id,
    inventoryKey: inventoryKey(rules, 100),
    scopeHash: 'all',
    wholeScope: 'all',
  };
  return telling(db, async (tx, tell) => {
    const base = await findBase(tx, like);
    const id = await createWork(tx, { tenant: 'default', kind: SHARD, priority: 0 });
    await insertScan(tx, id, {
      ...like,
      base,
      target: source.id,
      scope: {},
      ruleSet: rules,
      rulesHash: ruleSetHash(rules),
      rulesFile: null,
      initialState: null,
      keepEach: 100,
    });
    await snapshotSuppressions(tx, id);
    await addRanges(tx, id, ranges);
    tell(id, { type: 'requested', source: source.id, rules: 'default', base, shards: ranges.length });
    return id;
  });
}

export interface SentJob {
  readonly name: string;
  readonly data: object;
}

/** Remembers what was sent; a rolled back transaction takes it back, like the real one. */
export function rememberedJobs(db: Database): { jobs: Jobs; sent: () => Promise<SentJob[]> } {
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

/** Once for each database: two who make a table at the same moment are in each other's way, even if it need not be made. */
function madeTable(db: Database): Promise<unknown> {
  const made =
    tables.get(db) ?? db.query('create table if not exists sent_job (id serial, name text, data jsonb)');
  tables.set(db, made);
  return made;
}

const tables = new WeakMap<Database, Promise<unknown>>();

/** Looks at objects one after another, a moment after they were given. */
export function inspectHere(
  source: Source,
  look = (_: SourceObject, inspection: () => Inspection) => inspection(),
  accepted: readonly Accepted[] = [],
  rules: RuleSet = DEFAULT_RULES,
): ObjectInspectors {
  const inspector = new Inspector(source, { rules, secret, keepEach: 100, accepted });
  return {
    full: false,
    fault: null,
    room: async () => {},
    ready: async () => {},
    found() {},
    wrote() {},
    push() {},
    flush() {},
    submit: (object, done) =>
      void setImmediate(() => done(look(object, () => inspector.inspectNow(object)!))),
  };
}

/** For one shard. */
export function shardTools(
  db: Database,
  source: Source,
  jobs: Jobs,
  more: Partial<ShardTools> = {},
): ShardTools {
  return {
    db,
    source,
    jobs,
    pool: inspectHere(source),
    hash: new InventoryHash(secret),
    base: null,
    inventoryKey: inventoryKey(DEFAULT_RULES, 100),
    ttlMs: 60_000,
    live: new LiveCounters(),
    ...more,
  };
}

interface HandOptions extends Partial<HandTools> {
  readonly pool?: ObjectInspectors;
}

/** For hands that work on scans of this source. */
export function handTools(db: Database, source: Source, jobs: Jobs, more: HandOptions = {}): HandTools {
  const { pool = inspectHere(source), ...rest } = more;
  return {
    db,
    jobs,
    contexts: contextsOver(db, source, pool),
    ttlMs: 60_000,
    live: new LiveCounters(),
    worker: randomUUID(),
    place: placeOf(),
    offers: [],
    hands: 2,
    news: new Bell(),
    onTrouble: () => {},
    ...rest,
  };
}

/** Every scan has the same source. */
function contextsOver(db: Database, source: Source, pool: ObjectInspectors): Contexts {
  const stopped = new AbortController().signal;
  const hash = new InventoryHash(secret);
  const names = new NameMasker(secret);
  const thieves = new Map<number, Thief>();
  return {
    fault: null,
    async of(id) {
      const thief = thieves.get(id) ?? new Thief(db, id, source, { storage: names });
      thieves.set(id, thief);
      const experience = noExperience();
      const scan = (await readScan(db, id))!;
      return {
        scan,
        inventoryKey: inventoryKey(scan.ruleSet, scan.keepEach),
        change: await suppressionChange(db, scan),
        source,
        lane: pool,
        hash,
        names,
        thief,
        experience,
        budgeted: false,
        stopped,
      };
    },
    async drop() {},
    async sweep() {},
    async close() {},
  };
}
