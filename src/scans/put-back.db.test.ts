import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { plannedScan, rememberedJobs } from '../../test/support/scan.ts';
import { SeineError } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import { claimLease } from '../engine/leases/claim-store.ts';
import { CredentialRefused } from '../sources/credential-refused.ts';
import { createMemorySource } from '../sources/memory/memory.ts';
import { putBack } from './put-back.ts';
import { SHARD } from './start.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

/** Whether a shard is given up that has failed so often before. */
async function givenUp(failures: number, error: Error): Promise<boolean> {
  const scan = await plannedScan(db, createMemorySource({ a: '' }, { id: `memory:${randomUUID()}` }));
  const lease = await claimLease(db, { kind: SHARD, work: scan, holder: randomUUID(), ttlMs: 60_000 });
  return putBack({ ...lease!, failures }, { db, jobs: rememberedJobs(db).jobs }, error);
}

describe('a shard that failed again and again', () => {
  it.each([
    ['a fault', 7, new SeineError('permission', 'no')],
    ['a message with a zero', 7, new SeineError('corrupt', 'bad\0name')],
    ['an outage', 23, new SeineError('unavailable', 'away')],
    ['a refused credential', 23, new CredentialRefused('permission', 'expired')],
  ])('is given up in the end: %s', async (_what, failures, error) => {
    expect(await givenUp(failures - 1, error)).toBe(false);
    expect(await givenUp(failures, error)).toBe(true);
  });
});
