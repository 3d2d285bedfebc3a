import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { createLeaseGroup } from '../engine/leases/lease-group-store.ts';
import type { Limiter } from '../engine/limits/limiter.ts';
import type { ScanRow } from '../scans/lifecycle/scan-store.ts';
import { openRequestGate } from './open-request-gate.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const never = new AbortController().signal;
const config = { sources: [] } as unknown as Config;

/** Which quotas are asked when a worker that thinks of `own` sends a request. */
async function requestedQuotas(started: string | null, own: string | undefined): Promise<string[]> {
  const asked: string[] = [];
  const limiter = { take: async (quota: string) => void asked.push(quota) } as unknown as Limiter;
  const work = { tenant: 'default', kind: 'test', priority: 0, quota: started };
  const id = await db.tx((tx) => createLeaseGroup(tx, work));
  const scan = { id, source: 's3://bucket' } as ScanRow;
  const { gate, close } = await openRequestGate({ db, config }, limiter, scan, own, () => {});
  await gate.admit('read', 1, never);
  await close();
  return asked;
}

describe('the gate of a scan', () => {
  it('uses the quota the scan was started with, whatever credential this worker has', async () => {
    expect(await requestedQuotas('s3:aws:starter', 's3:aws:me')).toEqual(['s3:aws:starter']);
  });

  it("counts by the worker's own where none was kept", async () => {
    expect(await requestedQuotas(null, 's3:aws:me')).toEqual(['s3:aws:me']);
  });

  it('limits no local source, although its work has a name for its cap', async () => {
    expect(await requestedQuotas('fs:/srv/share', undefined)).toEqual([]);
  });
});
