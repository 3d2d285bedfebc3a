import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, hasLockWaiter } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, shardDeps } from '../../../test/support/scan.ts';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import { type Database, many } from '../../db/database.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { type HeldLease, remainingRange } from '../../engine/leases/lease.ts';
import { completeLease } from '../../engine/leases/lease-store.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import type { StoredEvent } from '../../events/event.ts';
import { hashOf, slotOf } from '../../events/hash.ts';
import { readWorkflow } from '../../events/read-store.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import { openSource } from '../../sources/open.ts';
import type { Source } from '../../sources/source.ts';
import { fold, initialState } from '../../workflows/state/fold.ts';
import { readHead } from '../../workflows/workflow-store.ts';
import { retryLetters } from '../dead-letters/retry.ts';
import { readRetryKeys, retrySource } from '../dead-letters/retry-source.ts';
import { planScan } from '../planning/plan-scan.ts';
import { splitShard } from '../planning/split-shard.ts';
import { notRead } from '../results/inspection.ts';
import { runShard } from '../run-shard.ts';
import { requeueOrFail } from '../shard/requeue-or-fail.ts';
import type { ShardContext } from '../shard/shard-context.ts';
import { readShard } from '../shard/shard-store.ts';
import { cancelScan, pauseScan } from './control-scan.ts';
import { finalizeScan, recordFinalizeFailure } from './finalize-scan.ts';
import { resumeScan } from './resume-scan.ts';
import { withScanEvents } from './scan-events.ts';
import { readScan } from './scan-store.ts';
import { type ScanState, scanWorkflow } from './scan-workflow.ts';
import { SHARD, startScan } from './start-scan.ts';

let db: Database;
let jobs: Jobs;
let source: MemorySource;
const PLAN = { minObjectsPerShard: 2, maxInitialShards: 2, unknownShards: 2, listCalls: 9 };
const REQUEST = {
  tenant: 'default',
  target: 'sim:dates/30/7',
  scope: {},
  rules: DEFAULT_RULES,
  rulesFile: null,
  full: true,
  maxFindingsPerType: 100,
};
const never = new AbortController().signal;
beforeAll(async () => {
  db = await freshDatabase(12);
  jobs = recordingJobs(db).jobs;
});
afterAll(() => db.close());
beforeEach(() => {
  source = createMemorySource({ a: '1', b: '2', c: '3', d: '4' }, { id: `memory:${randomUUID()}` });
});

async function claimed(scan: number): Promise<HeldLease> {
  const held = await claimLease(db, { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 });
  return held!;
}

/** Runs every shard that can be claimed. `dead` objects can't be read. */
async function runAll(scan: number, dead: readonly string[] = [], from: Source = source): Promise<void> {
  const queue = inspectInProcess(from, (object, inspection) =>
    dead.includes(object.key) ? notRead('dead', 'broken', false) : inspection(),
  );
  const request = {
    kind: SHARD,
    groupId: scan,
    holder: randomUUID(),
    hostAffinity: hostAffinity(),
    ttlMs: 60_000,
  };
  for (let held = await claimLease(db, request); held; held = await claimLease(db, request))
    await runShard(held, shardDeps(db, from, jobs, { queue, ...(await again(held)) }), never);
}

/** The additional dependencies of a shard of retried objects. */
async function again(held: HeldLease): Promise<Partial<ShardContext>> {
  const { kind, started } = await readShard(db, held.id);
  if (kind !== 'retry') return { started };
  const keys = await readRetryKeys(db, held.id, remainingRange(held));
  return { started, source: retrySource(source, keys), retrying: true };
}

async function ended(scan: number, dead: readonly string[] = []): Promise<void> {
  await runAll(scan, dead);
  await finalizeScan(db, jobs, scan);
}

async function head(scan: number) {
  return readHead(db, { tenant: 'default', workflow: 'scan', id: String(scan) });
}

async function history(scan: number): Promise<StoredEvent[]> {
  const found = await head(scan);
  return found === null ? [] : readWorkflow(db, found.key, 0, 10_000);
}

/** The event types after the first, which every scan here starts with. */
async function recorded(scan: number): Promise<string[]> {
  const [first, ...types] = (await history(scan)).map(({ type }) => type);
  expect(first).toBe('requested');
  return types;
}

async function stateOf(scan: number): Promise<ScanState> {
  return fold(scanWorkflow, initialState(scanWorkflow), await history(scan)).state as ScanState;
}

const retry = (scan: number) => retryLetters(db, jobs, { tenant: 'default', scan });
const resume = async (scan: number) => resumeScan(db, jobs, (await readScan(db, scan))!, null, 'old');

describe('the event history of a scan', () => {
  it('without interruptions is recorded from start to end', async () => {
    const sea = await openSource('sim:dates/30/7');
    const scan = await startScan(db, jobs, REQUEST);
    await planScan(db, scan, sea, PLAN, never);
    await runAll(scan, [], sea);
    await finalizeScan(db, jobs, scan);
    const events = await history(scan);
    expect(events.map(({ version }) => version)).toEqual(events.map((_, n) => n + 1));
    const [first, second] = await shardsOf(scan);
    expect(first!.listed + second!.listed).toBe(30);
    expect(events.map(({ type, data }) => ({ type, ...data }))).toEqual([
      { type: 'requested', source: sea.id, rules: DEFAULT_RULES.name, base: null, shards: 1 },
      { type: 'planned', cuts: 1, objects: 30, bytes: expect.any(Number), calls: expect.any(Number) },
      { type: 'split', shard: first!.shard, into: [second!.shard] },
      { type: 'started', shard: first!.shard },
      { type: 'shardCompleted', ...first },
      { type: 'shardCompleted', ...second },
      { type: 'finalizing' },
      { type: 'finalized', status: 'completed', why: null },
    ]);
    expect(await stateOf(scan)).toEqual({
      status: 'completed',
      source: sea.id,
      shards: 2,
      completed: 2,
      failed: 0,
      cancelled: 0,
      splits: 1,
      listed: 30,
      ends: 1,
    });
  });

  it('can be read along by slot, as that of any workflow', async () => {
    const scan = await plannedScan(db, source);
    const hash = hashOf(String(scan));
    const { rows } = await db.query(
      'select workflow, slot, event.hash::text from event join workflow on key = workflow_key where id = $1',
      [String(scan)],
    );
    expect(rows).toEqual([{ workflow: 'scan', slot: slotOf(hash), hash: String(hash) }]);
  });

  it('records pauses with their cause, and nothing twice', async () => {
    const scan = await plannedScan(db, source);
    await pauseScan(db, scan, 'paused');
    await pauseScan(db, scan, 'paused');
    expect((await head(scan))!.status).toBe('running'); // as a workflow: subscribers receive the pause
    await pauseScan(db, scan, 'interrupted', 'the budget is spent');
    await resume(scan);
    expect((await head(scan))!.status).toBe('running');
    expect(await recorded(scan)).toEqual(['paused', 'interrupted', 'resumed']);
    expect((await history(scan))[2]!.data).toEqual({ why: 'the budget is spent' });
    await ended(scan);
    await pauseScan(db, scan, 'paused');
    expect((await recorded(scan)).at(-1)).toBe('finalized');
    expect((await head(scan))!.status).toBe('completed');
  });

  it('records a resume after a crash, and not one that comes too late', async () => {
    const scan = await plannedScan(db, source);
    const before = (await readScan(db, scan))!;
    await resume(scan);
    expect(await recorded(scan)).toEqual(['resumed']);
    await runAll(scan);
    await resumeScan(db, jobs, before, null, 'old');
    expect((await recorded(scan)).at(-1)).toBe('finalizing');
  });

  it('records the cancellation of a scan, once', async () => {
    const scan = await plannedScan(db, source);
    await splitShard(db, scan, (await claimed(scan)).id, { splitPoints: [keyOf('b')], hints: [] });
    await cancelScan(db, jobs, scan);
    await cancelScan(db, jobs, scan);
    await finalizeScan(db, jobs, scan);
    await finalizeScan(db, jobs, scan);
    expect(await recorded(scan)).toEqual(['split', 'cancelled', 'finalizing', 'finalized']);
    expect(await stateOf(scan)).toMatchObject({ status: 'cancelled', shards: 2, cancelled: 2, ends: 1 });
    expect((await head(scan))!.status).toBe('cancelled');
  });

  it('records a failed shard, its retry, and the second end', async () => {
    const scan = await plannedScan(db, source);
    const held = await claimed(scan);
    await db.query('update range_lease set errors_since_progress = 7 where id = $1', [held.id]);
    await requeueOrFail(held, { db, jobs }, new SeineError('permission', 'no entry'));
    await finalizeScan(db, jobs, scan);
    expect(await stateOf(scan)).toMatchObject({ status: 'failed', failed: 1 });
    await retry(scan);
    expect(await stateOf(scan)).toMatchObject({ status: 'running', failed: 0, shards: 1 });
    await ended(scan);
    expect(await recorded(scan)).toEqual([
      ...['shardFailed', 'finalizing', 'finalized'],
      ...['reopened', 'retried', 'started', 'shardCompleted', 'finalizing', 'finalized'],
    ]);
    expect((await history(scan))[1]!.data).toEqual({
      shard: held.id,
      cause: 'no entry',
      listed: 0,
      bytes: 0,
    });
    expect(await stateOf(scan)).toMatchObject({ status: 'completed', completed: 1, ends: 2 });
  });

  it('counts the shard of objects that are tried again, and starts only once', async () => {
    const scan = await plannedScan(db, source);
    await ended(scan, ['b']);
    await retry(scan);
    await ended(scan);
    expect((await recorded(scan)).filter((type) => type === 'started')).toHaveLength(1);
    expect(await stateOf(scan)).toMatchObject({ status: 'completed', shards: 2, completed: 2, listed: 4 });
  });

  it('records a failed finalization, and the next attempt', async () => {
    const scan = await plannedScan(db, source);
    await runAll(scan);
    await recordFinalizeFailure(db, jobs, scan, 'out of memory');
    expect(await stateOf(scan)).toMatchObject({ status: 'failed', ends: 1 });
    await retry(scan);
    await finalizeScan(db, jobs, scan);
    expect((await recorded(scan)).slice(-4)).toEqual(['finalizing', 'failed', 'finalizing', 'finalized']);
  });

  it('is created with its first event, if the scan is older than the log', async () => {
    const scan = await plannedScan(db, source);
    await db.query('delete from workflow where id = $1', [String(scan)]);
    await ended(scan);
    const types = (await history(scan)).map(({ type }) => type);
    expect(types).toEqual(['started', 'shardCompleted', 'finalizing', 'finalized']);
  });

  it('takes no commands', () => {
    const at = { id: '1', now: new Date(0) };
    expect(scanWorkflow.decide(scanWorkflow.initial(), { type: 'pause' }, at)).toMatchObject({
      reason: expect.stringContaining('seine scan'),
    });
  });
});

describe('events and state', () => {
  it('are both left out when the transaction is rolled back', async () => {
    const scan = await plannedScan(db, source);
    const held = await claimed(scan);
    const broken = withScanEvents(db, async (tx, record) => {
      await completeLease(tx, held);
      record(scan, { type: 'shardCompleted', shard: held.id });
      throw new Error('too bad');
    });
    await expect(broken).rejects.toThrow('too bad');
    expect(await recorded(scan)).toEqual([]);
    expect((await head(scan))!.version).toBe(1);
  });

  it('are both rolled back when the process crashes after the append, before the commit', async () => {
    const scan = await plannedScan(db, source);
    const held = await claimed(scan);
    const dying: Database = { ...db, tx: (work) => db.tx((tx) => work(tx).then(diesNow)) };
    await expect(runShard(held, shardDeps(dying, source, jobs), never)).rejects.toThrow('killed');
    expect(await recorded(scan)).toEqual([]);
    const { rows } = await db.query('select state, checkpoint_seq from range_lease where id = $1', [held.id]);
    expect(rows).toEqual([{ state: 'held', checkpoint_seq: 0 }]);
  });

  it('agree when eight end shards of the same scan at once: no version is missing, none is there twice', async () => {
    const keys = Array.from({ length: 39 }, (_, n) => keyOf(`k${String(n + 10)}`));
    const ranges = [...keys, null].map((upTo, n) => ({ after: keys[n - 1] ?? keyOf(''), upTo }));
    const scan = await plannedScan(db, source, ranges);
    await Promise.all(Array.from({ length: 8 }, () => runAll(scan)));
    await finalizeScan(db, jobs, scan);
    const events = await history(scan);
    expect(events.map(({ version }) => version)).toEqual(events.map((_, n) => n + 1));
    const types = Map.groupBy(events, ({ type }) => type);
    expect([types.get('started')!.length, types.get('shardCompleted')!.length]).toEqual([1, 40]);
    expect(new Set(types.get('shardCompleted')!.map(({ data }) => data.shard)).size).toBe(40);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['finalizing', 'finalized']);
  });

  it('do not deadlock: a transaction with events of two scans locks them in a fixed order', async () => {
    const [one, two] = [await plannedScan(db, source), await plannedScan(db, source)];
    const other = await withScanEvents(db, async (tx, record) => {
      record(two, { type: 'reopened' });
      record(one, { type: 'reopened' });
      await tx.query('select 1 from workflow where id = $1 for update', [String(one)]);
      const waiting = {
        end: withScanEvents(db, async (_, tellOther) => {
          tellOther(two, { type: 'finalizing' });
          tellOther(one, { type: 'finalizing' });
        }),
      };
      await hasLockWaiter(db);
      return waiting;
    });
    await other.end;
    for (const scan of [one, two]) expect(await recorded(scan)).toEqual(['reopened', 'finalizing']);
  });
});

function diesNow(): never {
  throw new Error('killed');
}

/** The sums by the shard table. */
async function shardsOf(scan: number): Promise<{ shard: number; listed: number; bytes: number }[]> {
  return many(
    db,
    'select lease_id as shard, listed, bytes_read as bytes from shard where scan_id = $1 order by lease_id',
    [scan],
  );
}
