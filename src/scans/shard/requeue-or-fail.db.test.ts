import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { plannedScan, recordingJobs } from '../../../test/support/scan.ts';
import { SeineError } from '../../base/errors.ts';
import { keyOf } from '../../base/key.ts';
import type { Database } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { checkpointLease, rereadLease } from '../../engine/leases/lease-store.ts';
import { AuthenticationError } from '../../sources/authentication-error.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import { SHARD } from '../lifecycle/start-scan.ts';
import { requeueOrFail } from './requeue-or-fail.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

/** Whether a shard with this many earlier failures fails permanently. */
async function failedPermanently(failures: number, error: Error): Promise<boolean> {
  const scan = await plannedScan(db, createMemorySource({ a: '' }, { id: `memory:${randomUUID()}` }));
  const lease = await claimLease(db, { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 });
  await db.query('update range_lease set errors_since_progress = $2 where id = $1', [lease!.id, failures]);
  return (await requeueOrFail(lease!, { db, jobs: recordingJobs(db).jobs }, error)).failed;
}

describe('a shard that failed again and again', () => {
  it.each([
    ['a fault', 7, new SeineError('permission', 'no')],
    ['a message with a zero', 7, new SeineError('corrupt', 'bad\0name')],
    ['an outage', 23, new SeineError('unavailable', 'away')],
    ['a refused credential', 23, new AuthenticationError('permission', 'expired')],
  ])('fails in the end: %s', async (_what, errorsSinceProgress, error) => {
    expect(await failedPermanently(errorsSinceProgress - 1, error)).toBe(false);
    expect(await failedPermanently(errorsSinceProgress, error)).toBe(true);
  });

  it('is tried again if it has got on since: what failed before does not count any more', async () => {
    const scan = await plannedScan(db, createMemorySource({ a: '' }, { id: `memory:${randomUUID()}` }));
    const request = { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 };
    await db.query('update range_lease set errors_since_progress = 23 where group_id = $1', [scan]);
    const claimed = (await claimLease(db, request))!;
    expect(claimed.errorsSinceProgress).toBe(23);
    await db.tx((tx) =>
      checkpointLease(tx, claimed, { cursor: keyOf('a'), reserved: keyOf('a'), ttlMs: 60_000 }),
    );
    const put = await requeueOrFail(claimed, { db, jobs: recordingJobs(db).jobs }, new Error('one hiccup'));
    expect(put).toEqual({ failed: false, errorsSinceProgress: 1 });
  });

  it('is left to its current holder', async () => {
    const scan = await plannedScan(db, createMemorySource({ a: '' }, { id: `memory:${randomUUID()}` }));
    const request = { kind: SHARD, groupId: scan, holder: randomUUID(), ttlMs: 60_000 };
    const claimed = (await claimLease(db, request))!;
    await db.query(
      `update range_lease set expires_at = clock() - interval '1 second', errors_since_progress = 30 where group_id = $1`,
      [scan],
    );
    const next = (await claimLease(db, request))!;
    const put = await requeueOrFail(claimed, { db, jobs: recordingJobs(db).jobs }, new Error('late'));
    expect(put.failed).toBe(false);
    expect(await rereadLease(db, next)).toMatchObject({ errorsSinceProgress: 30 });
  });
});
