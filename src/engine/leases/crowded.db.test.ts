import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { FULL_RANGE } from '../../base/range.ts';
import type { Database } from '../../db/database.ts';
import { countWorkers, registerWorker, removeStaleWorkers } from '../workers/worker-store.ts';
import { claimLease, claimLeaseById } from './claim-store.ts';
import type { HeldLease } from './lease.ts';
import { createLeaseGroup } from './lease-group-store.ts';
import { addLeases, releaseWithBackoff } from './lease-store.ts';
import { EXACT_LEASES, RECOUNT_AFTER_MS } from './recount-store.ts';
import { acquireSplitLock } from './split-store.ts';

let db: Database;
let pass: (ms: number) => Promise<void>;
let kind: string;
beforeAll(async () => {
  db = await freshDatabase(12);
  pass = await movableClock(db);
});
beforeEach(() => {
  kind = randomUUID();
});
afterAll(() => db.close());

const TTL_MS = 60_000;
const MANY = 2 * EXACT_LEASES;

async function work(
  waiting: number,
  more: { tenant?: string; quota?: string; maxConcurrency?: number } = {},
) {
  return db.tx(async (tx) => {
    const id = await createLeaseGroup(tx, { tenant: 'default', kind, priority: 0, ...more });
    await addLeases(tx, id, Array(waiting).fill(FULL_RANGE));
    return id;
  });
}

/** Holds this many of its leases, each by its own holder. */
async function hold(id: number, count: number, ttlMs = TTL_MS): Promise<void> {
  await db.query(
    `update range_lease
     set state = 'held', holder = gen_random_uuid(), fencing_token = 1, claim_id = gen_random_uuid(), claims_since_progress = 1,
         claimed_at = clock(), renewed_at = clock(), expires_at = clock() + $3 * interval '1 millisecond'
     where id in (select id from range_lease where group_id = $1 and state = 'waiting' order by id limit $2)`,
    [id, count, ttlMs],
  );
}

const claim = () => claimLease(db, { kind, groupId: null, holder: randomUUID(), ttlMs: TTL_MS });
/** Claims once a second; returns the claimed leases. */
async function claimEverySecond(times: number): Promise<HeldLease[]> {
  const got: HeldLease[] = [];
  for (let i = 0; i < times; i++) {
    await pass(RECOUNT_AFTER_MS + 1);
    const held = await claim();
    if (held) got.push(held);
  }
  return got;
}
const claims = async (count: number) => {
  const got: (number | null)[] = [];
  for (let i = 0; i < count; i++) got.push((await claim())?.groupId ?? null);
  return got;
};

describe('with more held leases than a claim reads', () => {
  it('the work that holds fewer is served first', async () => {
    const [large, small] = [await work(MANY + 10), await work(10)];
    await hold(large, MANY);
    await claim(); // detects that there are many, and counts
    expect(await claims(5)).toEqual(Array(5).fill(small));
  });

  it('a tenant with few leases comes before one with many', async () => {
    const large = await work(MANY + 10);
    const other = await work(5, { tenant: 'small' });
    await hold(large, MANY);
    expect(await claims(6)).toEqual([...Array(5).fill(other), large]);
  });

  it('an expired lease is taken over, however many others are held', async () => {
    const id = await work(MANY + 1);
    await hold(id, MANY);
    await hold(id, 1, 1000);
    expect(await claimEverySecond(9)).toEqual([]); // first count in a while: holders may be about to renew
    expect(await claimEverySecond(4)).toMatchObject([
      { groupId: id, fencingToken: 2, claimsSinceProgress: 2 },
    ]);
  });

  it('live holders keep their leases after an outage longer than the lease duration', async () => {
    const id = await work(MANY);
    await hold(id, MANY, 2000);
    await claimEverySecond(1);
    await pass(60_000);
    expect(await claim()).toBeNull();
    const renewed = await db.query(
      `update range_lease set expires_at = clock() + interval '1 minute', renewed_at = clock() where group_id = $1 and state = 'held'`,
      [id],
    );
    expect(renewed.rowCount).toBe(MANY);
    expect(await claimEverySecond(15)).toEqual([]);
  });

  it('expired leases are requeued in batches, until claims find the rest themselves', async () => {
    const id = await work(MANY);
    await hold(id, MANY, 2000);
    const left = async () =>
      (
        await db.query(
          `select from range_lease where group_id = $1 and state = 'held' and fencing_token = 1`,
          [id],
        )
      ).rowCount;
    await claimEverySecond(10);
    expect(await left()).toBe(MANY);
    await claimEverySecond(2);
    expect(await left()).toBeLessThanOrEqual(EXACT_LEASES);
    expect(await claim()).toMatchObject({ groupId: id, fencingToken: 2 });
  });

  it('a count that fails does not lose what was claimed', async () => {
    const id = await work(MANY + 10);
    await hold(id, MANY);
    await db.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'the counts cannot be written'; end $$;
      create trigger refused before insert on claim_load for each row execute function refuse()`);
    expect(await claim().finally(() => db.query('drop function refuse cascade'))).toMatchObject({
      groupId: id,
    });
  });

  it('a cap is counted exactly', async () => {
    const large = await work(MANY);
    await hold(large, MANY);
    await claim();
    const capped = await work(10, { quota: kind, maxConcurrency: 3 });
    expect(await claims(5)).toEqual([capped, capped, capped, null, null]);
  });

  it('concurrent claims get different leases', async () => {
    const id = await work(MANY + 30);
    await hold(id, MANY);
    const got = await Promise.all(Array.from({ length: 40 }, () => claim()));
    const ids = got.flatMap((held) => (held ? [held.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length + (await claims(30)).filter((one) => one !== null).length).toBe(30);
  });

  it('claims count for themselves again when few are left', async () => {
    const [a, b] = [await work(MANY + 3), await work(3)];
    await hold(a, MANY);
    expect(await claims(1)).toEqual([b]);
    await db.query(`update range_lease set state = 'done' where group_id = $1 and state = 'held'`, [a]);
    await pass(RECOUNT_AFTER_MS + 1);
    expect(await claims(1)).toEqual([b]); // by the old counts; and recounts
    expect(await claims(4)).toEqual([a, a, a, b]);
  });
});

describe('after the clock of the server was set back by an hour', () => {
  const HOUR = 3_600_000;

  it('the lease of a dead worker is claimed at once', async () => {
    const id = await work(1);
    await claim();
    expect(await claim()).toBeNull();
    await pass(-HOUR);
    expect((await claim())?.groupId).toBe(id);
  });

  it('so is a partition', async () => {
    await work(1);
    const { id } = (await claim())!;
    expect(await claimLeaseById(db, id, randomUUID(), TTL_MS)).toBeNull();
    await pass(-HOUR);
    expect(await claimLeaseById(db, id, randomUUID(), TTL_MS)).not.toBeNull();
  });

  it('a lease released with a delay of seconds is not delayed for an hour', async () => {
    await work(1);
    await releaseWithBackoff(db, (await claim())!, 'try later', 5000);
    expect(await claim()).toBeNull();
    await pass(-HOUR);
    expect(await claim()).not.toBeNull();
  });

  it('a lease whose split lock was taken can be split', async () => {
    await work(1);
    const { id } = (await claim())!;
    expect(await acquireSplitLock(db, id, 10_000)).toBe(true);
    expect(await acquireSplitLock(db, id, 10_000)).toBe(false);
    await pass(-HOUR);
    expect(await acquireSplitLock(db, id, 10_000)).toBe(true);
  });

  it('workers registered before are not counted as live', async () => {
    const worker = {
      id: randomUUID(),
      host: 'h',
      pid: 1,
      version: '',
      threads: 1,
      concurrency: 1,
      role: 'scans',
    } as const;
    await registerWorker(db, { ...worker, workflows: [] });
    expect(await countWorkers(db, 60_000)).toBe(1);
    await pass(-HOUR);
    expect(await countWorkers(db, 60_000)).toBe(0);
    expect(await removeStaleWorkers(db, 600_000)).toEqual([worker.id]);
  });

  it('or by a few minutes, new leases can be claimed', async () => {
    const id = await work(1);
    await pass(-9 * 60_000);
    expect((await claim())?.groupId).toBe(id);
  });

  it('a correction by some seconds changes nothing', async () => {
    await work(1);
    await claim();
    await pass(-20_000);
    expect(await claim()).toBeNull();
  });
});
