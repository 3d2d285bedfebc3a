import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Database } from '../../db/database.ts';
import { startWorkerRegistration } from '../../engine/workers/worker.ts';
import { PartitionAssignment } from './partition-assignment.ts';
import { rescale } from './scaling.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

async function join(workflow: string, partition: { index: number; total: number } | null) {
  const worker = await startWorkerRegistration(db, {
    role: 'workflows',
    workflows: [workflow],
    heartbeatMs: 1000,
  });
  const assignment = new PartitionAssignment(db, {
    workflow,
    version: 1,
    holder: worker.id,
    ttlMs: 60_000,
    partition,
  });
  return { worker, assignment };
}

it('who stands by for a partition learns that there are other partitions now', async () => {
  const half = { index: 0, total: 2 };
  const [first, second] = [await join('scaled', half), await join('scaled', half)];
  await first.assignment.sync();
  await second.assignment.sync();
  expect([first, second].map(({ assignment }) => assignment.assigned.parts)).toEqual([[0], []]);
  await rescale(db, 'scaled', 2, 3, { running: 'stop' });
  await expect(second.assignment.sync()).rejects.toThrow('partitioned into 3 partitions, not into 2');
  await Promise.all([first, second].map(({ worker }) => worker.leave()));
});

it('who wants more slots and finds none free still knows of how many its own are', async () => {
  const [first, second] = [await join('shared', null), await join('shared', null)];
  await first.assignment.sync();
  await second.assignment.sync();
  expect([first, second].map(({ assignment }) => assignment.assigned.parts.length)).toEqual([128, 128]);
  await second.worker.leave(); // its slots are free only when they expire
  await db.query(
    `update range_lease set state = 'held', holder = gen_random_uuid(), expires_at = clock() + interval '1 minute' where state = 'waiting'`,
  );
  await db.query(`update range_lease set expires_at = clock() + interval '1 minute' where state = 'held'`);
  await first.assignment.sync();
  expect(first.assignment.assigned.parts).toHaveLength(128);
  expect(first.assignment.assigned.total).toBe(256);
  await first.worker.leave();
});
