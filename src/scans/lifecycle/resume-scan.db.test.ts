import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan, recordingJobs, workerDeps } from '../../../test/support/scan.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { keyOf } from '../../base/key.ts';
import type { Database } from '../../db/database.ts';
import { raiseBudget } from '../../engine/budget/raise-budget.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { readLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { checkpointLease } from '../../engine/leases/lease-store.ts';
import { hostAffinity } from '../../engine/workers/worker.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { Source } from '../../sources/source.ts';
import type { ExportSettings } from '../hooks/hook.ts';
import { addHooks, readHooks } from '../hooks/hook-store.ts';
import { runScan } from '../run-scan.ts';
import { pauseScan } from './control-scan.ts';
import { finalizeScan } from './finalize-scan.ts';
import { findResumable, resumeScan } from './resume-scan.ts';
import { readScan } from './scan-store.ts';
import { SHARD } from './start-scan.ts';

let db: Database;
let jobs: ReturnType<typeof recordingJobs>['jobs'];
beforeAll(async () => {
  db = await freshDatabase();
  jobs = recordingJobs(db).jobs;
});
afterAll(() => db.close());

const paused = async () => {
  const scan = await plannedScan(db, createMemorySource({ a: 'x' }, { id: `memory:${randomUUID()}` }));
  await pauseScan(db, scan, 'paused');
  return scan;
};

const exportTo = (place: string | null): ExportSettings => ({
  kind: 'export',
  name: 'export /srv/exports',
  target: '/srv/exports',
  format: 'jsonl',
  on: ['completed'],
  place,
});

describe('a scan that is resumed on another host', () => {
  it('moves its exports there, unless all hosts see their folders', async () => {
    const scan = await paused();
    await db.tx((tx) => addHooks(tx, scan, [exportTo('elsewhere'), exportTo(null)]));
    await resumeScan(db, jobs, await findResumable(db, 'default', scan), null, 'old');
    const hosts = (await readHooks(db, scan)).map(({ settings }) => (settings as ExportSettings).place);
    expect(hosts).toEqual([hostAffinity(), null]);
  });

  it('does so only on request: otherwise its folder and its exports keep their host', async () => {
    const scan = await paused();
    await db.query(`update lease_group set host_affinity = 'elsewhere' where id = $1`, [scan]);
    await db.tx((tx) => addHooks(tx, scan, [exportTo('elsewhere')]));
    await resumeScan(db, jobs, await findResumable(db, 'default', scan), null, 'old', null);
    expect(await readLeaseGroup(db, scan)).toMatchObject({ hostAffinity: 'elsewhere', paused: false });
    expect(await readHooks(db, scan)).toMatchObject([{ settings: { place: 'elsewhere' } }]);
  });
});

describe('a worker that has not noticed the pause', () => {
  const claim = (scan: number) =>
    claimLease(db, { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 });
  const write = (held: HeldLease) =>
    db.tx((tx) => checkpointLease(tx, held, { cursor: keyOf('a'), reserved: keyOf('a'), ttlMs: 60_000 }));

  it('writes nothing after the resume, which may have changed the rules or the budget', async () => {
    const scan = await plannedScan(db, createMemorySource({ a: 'x' }, { id: `memory:${randomUUID()}` }));
    const before = (await claim(scan))!;
    await pauseScan(db, scan, 'paused');
    const now = { ruleSet: { ...DEFAULT_RULES, minConfidence: 0.8 }, file: null };
    await resumeScan(db, jobs, await findResumable(db, 'default', scan), now, 'new');
    expect(await write(before)).toBeNull();
    const after = (await claim(scan))!;
    expect(after).toMatchObject({ id: before.id, claimsSinceProgress: 1 });
    expect(await write(after)).not.toBeNull();
  });

  it('and crashed counts as a crash', async () => {
    const scan = await plannedScan(db, createMemorySource({ a: 'x' }, { id: `memory:${randomUUID()}` }));
    await claim(scan);
    await db.query(`update range_lease set expires_at = now() - interval '1 second' where group_id = $1`, [
      scan,
    ]);
    await resumeScan(db, jobs, await findResumable(db, 'default', scan), null, 'old');
    expect(await claim(scan)).toMatchObject({ claimsSinceProgress: 2 });
  });
});

describe('what a process caches of a scan', () => {
  /** How often the cache was dropped while the scan ran. */
  async function drops(scan: number, source: Source): Promise<number> {
    let dropped = 0;
    const tools = workerDeps(db, source, jobs);
    const drop = async () => void dropped++;
    const run = runScan(
      scan,
      { ...tools, contexts: { ...tools.contexts, drop } },
      new AbortController().signal,
    );
    await waitUntil(
      'the scan to be finalized',
      async () => (await readScan(db, scan))!.status === 'finalizing',
    );
    await finalizeScan(db, jobs, scan);
    await run;
    return dropped;
  }

  it('is reopened when the scan was given a budget since', async () => {
    const source = createMemorySource({ a: 'x' }, { id: `memory:${randomUUID()}` });
    expect(await drops(await plannedScan(db, source), source)).toBe(0);
    const scan = await plannedScan(db, source);
    await db.tx((tx) => raiseBudget(tx, scan, { requests: 1000 }));
    expect(await drops(scan, source)).toBe(1);
  });
});
