import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan, recordingJobs, shardDeps } from '../../../test/support/scan.ts';
import { displayKey, type Key } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import type { Database } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { DEFAULT_RULES, type RuleSet } from '../../governance/rule-set.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { openSource } from '../../sources/open.ts';
import { isObjectError, type Source } from '../../sources/source.ts';
import { createStoreScope } from '../../sources/store/store-scope.ts';
import { Inspector } from '../detect/inspector.ts';
import type { InspectionQueue } from '../detect/scan-queue.ts';
import { finalizeScan } from '../lifecycle/finalize-scan.ts';
import { readScan, type ScanRow } from '../lifecycle/scan-store.ts';
import { scopeOf } from '../lifecycle/scope.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { runShard } from '../run-shard.ts';
import type { ObjectScore } from './known-object.ts';
import { isComplete, type ObjectChange, type WhatIf, whatIf } from './what-if.ts';

const never = new AbortController().signal;
const examples = join(import.meta.dirname, '../../../examples/data');
const secret = Buffer.alloc(32, 7);

/** Few detectors load faster. */
const FEW: RuleSet = {
  ...DEFAULT_RULES,
  detectors: { include: ['EMAIL', 'IBAN', 'PHONE', 'SSN'], exclude: [] },
};
const rules = (more: Partial<RuleSet>): RuleSet => ({ ...FEW, ...more });
const without = (...exclude: string[]) => rules({ detectors: { ...FEW.detectors, exclude } });

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

/** Scans as a worker does, in this thread. */
async function scanned(source: Source, rules: RuleSet = FEW): Promise<ScanRow> {
  const { jobs } = recordingJobs(db);
  const id = await plannedScan(db, source, [FULL_RANGE], rules);
  const held = (await claimLease(db, { kind: SHARD, groupId: id, holder: randomUUID(), ttlMs: 60_000 }))!;
  const { base, inventoryKey } = (await readScan(db, id))!;
  const queue = inspectingAll(source, rules);
  await runShard(held, shardDeps(db, source, jobs, { base, inventoryKey, queue }), never);
  await finalizeScan(db, jobs, id);
  return (await readScan(db, id))!;
}

const nothingToWaitFor = {
  full: false,
  fault: null,
  waitForRoom: async () => {},
  ready: async () => {},
  addUnwritten() {},
  markWritten() {},
  forceDispatch() {},
  flush() {},
};

/** Includes objects that can't be read synchronously. */
function inspectingAll(source: Source, rules: RuleSet): InspectionQueue {
  const inspector = new Inspector(source, { rules, secret, maxFindingsPerType: 100 });
  let last = Promise.resolve();
  return {
    ...nothingToWaitFor,
    submit(object, done) {
      last = last.then(async () => done(await inspector.inspect(object, never, () => {})));
    },
  };
}

async function tried(scan: ScanRow, rules: RuleSet): Promise<WhatIf & { changes: Map<Key, ObjectChange> }> {
  const changes = new Map<Key, ObjectChange>();
  const answer = await whatIf(db, scan, rules, (change) => void changes.set(change.key, change));
  return { ...answer, changes };
}

/** The findings of a real scan under these rules, by object. */
async function reallyScanned(source: Source, rules: RuleSet): Promise<Map<Key, ObjectScore | null>> {
  const inspector = new Inspector(source, { rules, secret, maxFindingsPerType: 100 });
  const scope = createStoreScope(scopeOf({ scope: {}, ruleSet: rules }));
  const scores = new Map<Key, ObjectScore | null>();
  for await (const batch of source.list(FULL_RANGE, never)) {
    for (const object of batch) {
      if (isObjectError(object) || !scope.includes(object)) continue;
      const { counts, score, tier, policies } = await inspector.inspect(object, never, () => {});
      scores.set(object.key, tier === null ? null : { counts, score, tier, policies });
    }
  }
  return scores;
}

/** Detectors with findings in the examples. */
async function kindsIn(source: Source): Promise<string[]> {
  const scores = await reallyScanned(source, { ...DEFAULT_RULES, minConfidence: 0.3 });
  return [...new Set([...scores.values()].flatMap((one) => Object.keys(one?.counts ?? {})))].sort();
}

function anyRules(kinds: readonly string[]): fc.Arbitrary<RuleSet> {
  const hundredth = fc.integer({ min: 30, max: 99 }).map((n) => n / 100);
  return fc
    .record({
      minConfidence: fc.oneof(fc.constant(0.5), hundredth),
      exclude: fc.oneof(fc.constant([]), fc.subarray([...kinds], { maxLength: Math.min(4, kinds.length) })),
      weights: fc.dictionary(fc.constantFrom(...kinds), fc.integer({ min: 0, max: 10 }), { maxKeys: 3 }),
      thresholds: fc.dictionary(fc.constantFrom(...kinds), hundredth, { maxKeys: 3 }),
      paths: fc.subarray(['hr/**', '**/*.log', 'finance/'], { maxLength: 2 }),
    })
    .map(({ minConfidence, exclude, weights, thresholds, paths }) =>
      rules({
        minConfidence,
        weights,
        thresholds,
        detectors: { include: kinds, exclude },
        paths: { include: [], exclude: paths },
      }),
    );
}

describe('what-if', () => {
  it('equals a scan under the other rules, except where it reports that objects must be read', async () => {
    const source = await openSource(examples);
    const kinds = await kindsIn(source);
    let [compared, named] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        anyRules(kinds),
        fc.array(anyRules(kinds), { minLength: 5, maxLength: 5 }),
        async (old, tries) => {
          const detectors = { include: kinds, exclude: [] };
          const scan = await scanned(source, rules({ ...old, detectors, paths: DEFAULT_RULES.paths }));
          const before = await reallyScanned(source, scan.ruleSet);
          for (const now of tries) {
            const { changes, reread } = await tried(scan, now);
            if (reread.everything.length > 0) continue;
            expect(reread.unknown).toBe(0);
            for (const [key, real] of await reallyScanned(source, now)) {
              const change = changes.get(key);
              if (change && change.reread.length > 0) {
                named++;
                continue;
              }
              const said = change ? change.after : before.get(key);
              expect({ [displayKey(key)]: said }).toEqual({ [displayKey(key)]: real });
              compared++;
            }
          }
        },
      ),
      { numRuns: 2, endOnFailure: true },
    );
    expect(compared).toBeGreaterThan(500);
    expect(named).toBeLessThan(compared / 2);
  }, 240_000);
});

describe('an object without a finding', () => {
  it('is determined by its values below the threshold, also when it was carried over from an earlier scan', async () => {
    const text = 'order 219-09-1234';
    const source = createMemorySource(
      { 'a.txt': 'nothing', 'b.txt': text, 'c.txt': 'SSN: 219-09-1234' },
      { id: 'memory:faint' },
    );
    const strict = rules({ minConfidence: 0.9 });
    const low = rules({ minConfidence: 0.4 });
    const first = await scanned(source, strict);
    const second = await scanned(source, strict);
    expect(second.base).toBe(first.id);
    for (const scan of [first, second]) {
      const answer = await tried(scan, low);
      expect(isComplete(answer)).toBe(true);
      const real = await reallyScanned(source, low);
      for (const [key, change] of answer.changes) expect(change.after).toEqual(real.get(key));
      expect(answer.after.objects).toBe([...real.values()].filter((one) => one !== null).length);
      expect(answer.after.objects).toBeGreaterThan(answer.before.objects);
    }
  });
});

describe('what must be read again', () => {
  const source = createMemorySource(
    { 'a.txt': 'SSN: 219-09-1234', 'b.txt': 'nothing' },
    { id: 'memory:reread' },
  );

  it('is everything when a detector is switched on', async () => {
    const { reread } = await tried(await scanned(source, without('SSN')), FEW);
    expect(reread.everything).toEqual(['SSN is enabled now and was not']);
  });

  it('is everything when a threshold falls below the floor', async () => {
    const { reread } = await tried(await scanned(source), rules({ minConfidence: 0.2 }));
    expect(reread.everything).toHaveLength(1);
    expect(reread.everything[0]).toMatch(/below confidence 0\.3 were not counted/);
  });

  it('is what the old paths left out', async () => {
    const old = rules({ paths: { include: [], exclude: ['hr/**'] } });
    const { reread } = await tried(await scanned(source, old), FEW);
    expect(reread.unlisted).toEqual(['paths hr/** are no longer excluded']);
  });

  it('is nothing when only weights change, and the score follows them', async () => {
    const answer = await tried(await scanned(source), rules({ weights: { SSN: 1 } }));
    expect(isComplete(answer)).toBe(true);
    expect(answer.changed).toBe(1);
    expect(answer.after.findings).toBe(answer.before.findings);
  });

  it('is each object without stored levels', async () => {
    const scan = await scanned(source);
    await db.query('update object_result set confidence_histogram = null where scan_id = $1', [scan.id]);
    const { reread, changes } = await tried(scan, rules({ minConfidence: 0.6 }));
    expect(reread).toMatchObject({ objects: 1, everything: [] });
    expect([...changes.values()][0]!.reread).toEqual([
      'scanned by a version that stored no confidence histogram',
    ]);
  });

  it('can be computed for a scan whose rules were stored before there were thresholds and policies', async () => {
    const { id } = await scanned(createMemorySource({ a: 'SSN: 219-09-1234' }, { id: 'memory:old' }));
    await db.query(
      `update scan set rules = rules - '{thresholds,custom,columns,tables,policies,sample}'::text[] where id = $1`,
      [id],
    );
    const answer = await tried((await readScan(db, id))!, rules({ minConfidence: 0.6 }));
    expect(isComplete(answer)).toBe(true);
  });

  it('is every object without a finding, once its inventory was pruned and thresholds are lowered', async () => {
    const scan = await scanned(source);
    await db.query('delete from inventory_block where scan_id = $1', [scan.id]);
    expect((await tried(scan, rules({ minConfidence: 0.4 }))).reread.unknown).toBe(1);
    expect((await tried(scan, rules({ minConfidence: 0.6 }))).reread.unknown).toBe(0);
  });

  it('is each object with a finding, when columns are left out', async () => {
    const { reread } = await tried(
      await scanned(source),
      rules({ columns: { include: [], exclude: ['notes'] } }),
    );
    expect(reread).toMatchObject({ everything: [], reasons: { 'some columns are excluded now': 1 } });
  });

  it('is everything, when columns come back that were not counted', async () => {
    const old = rules({ columns: { include: [], exclude: ['notes'] } });
    const { reread } = await tried(await scanned(source, old), FEW);
    expect(reread.everything).toHaveLength(1);
    expect(reread.everything[0]).toMatch(/columns are selected differently/);
  });

  it('is exactly an object in which a match of a now disabled detector won an overlap', async () => {
    const two = createMemorySource(
      { 'a.txt': 'phone: 219-09-1234', 'b.txt': 'SSN: 219-09-1234' },
      { id: 'memory:contested' },
    );
    const scan = await scanned(two);
    const { changes, reread } = await tried(scan, without('SSN'));
    const real = await reallyScanned(two, without('SSN'));
    expect(reread.everything).toEqual([]);
    for (const [key, change] of changes)
      if (change.reread.length === 0) expect(change.after).toEqual(real.get(key));
    const { rows } = await db.query<{ path: string }>(
      `select path from object_result where scan_id = $1 and overlap_counts <> '{}' order by path`,
      [scan.id],
    );
    expect([...changes.values()].filter((one) => one.reread.length > 0).length).toBe(rows.length);
  });
});
