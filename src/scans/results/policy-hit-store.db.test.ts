import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { inspectInProcess, plannedScan, recordingJobs, shardDeps } from '../../../test/support/scan.ts';
import { keyOf } from '../../base/key.ts';
import type { Database } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import type { PolicyMatches } from '../../governance/policies/evaluate.ts';
import { createMemorySource, type MemorySource } from '../../sources/memory/memory.ts';
import { finalizeScan } from '../lifecycle/finalize-scan.ts';
import { readScan } from '../lifecycle/scan-store.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { runShard } from '../run-shard.ts';
import { objectsOf } from './finding-store.ts';
import type { Inspection } from './inspection.ts';
import { readPolicyHits } from './policy-hit-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

/** The simulated contents of each object. */
const HOLDS: Readonly<
  Record<string, { counts: Record<string, number>; policies: PolicyMatches; points: number }>
> = {
  a: { counts: { SSN: 3, EMAIL: 9 }, policies: { gdpr: ['SSN', 'EMAIL'], ccpa: ['SSN'] }, points: 70 },
  b: { counts: { SSN: 1 }, policies: { gdpr: ['SSN'] }, points: 90 },
  c: { counts: { EMAIL: 1 }, policies: {}, points: 10 },
};

async function scanned(source: MemorySource): Promise<number> {
  const { jobs } = recordingJobs(db);
  const scan = await plannedScan(db, source);
  const { base } = (await readScan(db, scan))!;
  const queue = inspectInProcess(source, (object): Inspection => {
    const { counts, policies, points } = HOLDS[object.key]!;
    const read = { outcome: 'scanned', reason: '', stable: true, bytesRead: 1, findings: [] } as const;
    return { ...read, counts, policies, points, score: points, tier: 'HIGH' };
  });
  const held = (await claimLease(db, { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 }))!;
  await runShard(held, shardDeps(db, source, jobs, { queue, base }), new AbortController().signal);
  await finalizeScan(db, jobs, scan);
  return scan;
}

async function policiesOf(scan: number): Promise<Record<string, PolicyMatches>> {
  const found: Record<string, PolicyMatches> = {};
  for await (const objects of objectsOf(db, scan))
    for (const { key, policies } of objects) found[key] = policies;
  return found;
}

const all = Object.fromEntries(Object.entries(HOLDS).map(([key, { policies }]) => [key, policies]));

describe('the policies of a scan', () => {
  it('are kept with each object, and carried over with those that did not change', async () => {
    const source = createMemorySource({ a: '1', b: '2', c: '3' }, { id: 'memory:policies' });
    const first = await scanned(source);
    expect(await policiesOf(first)).toEqual(all);
    const second = await scanned(source);
    expect((await readScan(db, second))!.base).toBe(first);
    expect(await policiesOf(second)).toEqual(all);
  });

  it('are returned with their objects, contributing findings and the worst', async () => {
    const scan = await scanned(createMemorySource({ a: '1', b: '2', c: '3' }, { id: 'memory:hits' }));
    const hits = await readPolicyHits(db, (await readScan(db, scan))!);
    expect(hits).toEqual([
      {
        policy: 'gdpr',
        title: expect.stringContaining('Personal data'),
        objects: 2,
        because: { EMAIL: 9, SSN: 4 },
        worst: [
          { key: keyOf('b'), tier: 'HIGH' },
          { key: keyOf('a'), tier: 'HIGH' },
        ],
      },
      expect.objectContaining({ policy: 'ccpa', objects: 1, because: { SSN: 3 } }),
    ]);
  });
});
