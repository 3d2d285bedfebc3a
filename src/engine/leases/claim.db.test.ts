import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { FIRST_KEY, keyOf } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { Database } from '../../db/database.ts';
import { claimLease, claimLeases } from './claim-store.ts';
import type { HeldLease } from './lease.ts';
import {
  cancelLeaseGroup,
  createLeaseGroup,
  readLeaseGroup,
  setLeaseGroupPaused,
} from './lease-group-store.ts';
import { addLeases, checkpointLease, completeLease, releaseLease } from './lease-store.ts';

let db: Database;
let kind: string;
beforeAll(async () => {
  db = await freshDatabase(12);
});
beforeEach(() => {
  kind = randomUUID(); // isolates each test
});
afterAll(() => db.close());

interface Wish {
  readonly requires?: string;
  readonly tenant?: string;
  readonly priority?: number;
  readonly hostAffinity?: string;
  readonly quota?: string;
  readonly maxConcurrency?: number;
}

async function work(leases: number, wish: Wish = {}): Promise<number> {
  const ranges = Array.from(
    { length: leases },
    (_, i): Range => ({
      after: i === 0 ? FIRST_KEY : keyOf(String(i).padStart(6, '0')),
      upTo: keyOf(String(i + 1).padStart(6, '0')),
    }),
  );
  return db.tx(async (tx) => {
    const id = await createLeaseGroup(tx, { tenant: 'default', kind, priority: 0, ...wish });
    await addLeases(tx, id, ranges);
    return id;
  });
}

const claim = (place: string | null = null, offers: readonly string[] = []) =>
  claimLease(db, { kind, groupId: null, holder: randomUUID(), hostAffinity: place, offers, ttlMs: 60_000 });

async function claims(count: number): Promise<(number | null)[]> {
  const got: (number | null)[] = [];
  for (let i = 0; i < count; i++) got.push((await claim())?.groupId ?? null);
  return got;
}

describe('which lease comes next', () => {
  it('the work of the highest priority comes first', async () => {
    const low = await work(1);
    const high = await work(2, { priority: 5 });
    expect(await claims(4)).toEqual([high, high, low, null]);
  });

  it('works of one tenant take turns', async () => {
    const [a, b] = [await work(3), await work(3)];
    expect(await claims(6)).toEqual([a, b, a, b, a, b]);
  });

  it('a tenant with many works gets no more than one with a single work', async () => {
    const many = [await work(4), await work(4), await work(4)];
    const single = await work(4, { tenant: 'small' });
    const got = await claims(6);
    expect(got.filter((id) => id === single)).toHaveLength(3);
    expect(new Set(got.filter((id) => many.includes(id!))).size).toBe(3);
  });

  it('a paused group is skipped until it is resumed', async () => {
    const id = await work(1);
    await setLeaseGroupPaused(db, id, true);
    expect(await claim()).toBeNull();
    await setLeaseGroupPaused(db, id, false);
    expect((await claim())?.groupId).toBe(id);
  });

  it('a group with a host affinity is claimed only on that host', async () => {
    const id = await work(1, { hostAffinity: 'machine-1' });
    expect(await claim()).toBeNull();
    expect(await claim('machine-2')).toBeNull();
    expect((await claim('machine-1'))?.groupId).toBe(id);
  });

  it('a group with a requirement is claimed only by workers that offer it', async () => {
    const id = await work(2, { requires: 'key:1' });
    expect(await claim()).toBeNull();
    expect(await claim(null, ['key:2', 'key:3'])).toBeNull();
    expect((await claim(null, ['key:2', 'key:1']))?.groupId).toBe(id);
  });

  it('many can be claimed at once, and none of them twice', async () => {
    await work(50);
    const request = { kind, groupId: null, holder: randomUUID(), ttlMs: 60_000 };
    const batches = await Promise.all([1, 2, 3, 4].map(() => claimLeases(db, request, 20)));
    const ids = batches.flat().map((held) => held.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length + (await claimLeases(db, request, 50)).length).toBe(50);
  });
});

describe('a cap', () => {
  it('holds for concurrent claims, over all groups of the quota', async () => {
    await work(20, { quota: 'store', maxConcurrency: 3 });
    await work(20, { quota: 'store', maxConcurrency: 3 });
    const got = await Promise.all(Array.from({ length: 12 }, () => claim()));
    const late = [await claim(), await claim(), await claim()]; // for claims that lost the race for the lock
    expect([...got, ...late].filter((held) => held !== null)).toHaveLength(3);
    expect(await claim()).toBeNull();
  });

  it('has room again when a lease ends, is released, or expires', async () => {
    await work(5, { quota: 'narrow', maxConcurrency: 1 });
    const first = (await claim())!;
    expect(await claim()).toBeNull();
    await db.tx((tx) => completeLease(tx, first));
    const second = (await claim())!;
    await db.tx((tx) => releaseLease(tx, second));
    const third = (await claim())!;
    await db.query(`update range_lease set expires_at = now() - interval '1 s' where id = $1`, [third.id]);
    expect(await claim()).not.toBeNull();
  });

  it('does not hold up works without one', async () => {
    await work(3, { quota: 'full', maxConcurrency: 1, priority: 9 });
    const free = await work(2);
    await claim();
    expect(await claims(3)).toEqual([free, free, null]);
  });

  it('that others have just reached is no reason to claim nothing else', async () => {
    const capped = await work(3, { quota: 'contested', maxConcurrency: 1, priority: 9 });
    const free = await work(5);
    const got = await Promise.all(Array.from({ length: 6 }, () => claim()));
    const works = got.map((held) => held?.groupId ?? null);
    expect(works.filter((id) => id === capped)).toHaveLength(1);
    expect(works.filter((id) => id === free)).toHaveLength(5);
  });

  it('is counted for a quota that no index entry holds: the path of a folder', async () => {
    const quota = randomBytes(2000).toString('hex');
    const [a, b] = [await work(2, { quota, maxConcurrency: 1 }), await work(2, { quota, maxConcurrency: 1 })];
    expect([a, b]).toContain((await claim())?.groupId);
    expect(await claim()).toBeNull();
  });

  it('is skipped while another process holds its lock', async () => {
    await work(1, { quota: 'locked', maxConcurrency: 5, priority: 9 });
    const free = await work(1);
    const locked = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const stopped = db.tx(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtextextended('quota locked', 0))`);
      locked.resolve();
      await done.promise;
    });
    await locked.promise;
    expect(await claims(2)).toEqual([free, null]);
    done.resolve();
    await stopped;
    expect(await claim()).not.toBeNull();
  });
});

describe('a cancelled work', () => {
  const move = (held: HeldLease) =>
    db.tx((tx) => checkpointLease(tx, held, { cursor: held.upTo!, reserved: held.upTo!, ttlMs: 1000 }));

  it('ends all its leases at once, and holders can write no more', async () => {
    const id = await work(4);
    const [done, held] = [(await claim())!, (await claim())!];
    await db.tx((tx) => completeLease(tx, done));
    expect(await db.tx((tx) => cancelLeaseGroup(tx, id))).toHaveLength(3);
    expect(await readLeaseGroup(db, id)).toMatchObject({ remaining: 0, cancelled: 3, failed: 0 });
    expect(await move(held)).toBeNull();
    expect(await db.tx((tx) => completeLease(tx, held))).toBeNull();
    expect(await claim()).toBeNull();
  });

  it('twice is cancelled once', async () => {
    const id = await work(2);
    const answers = await Promise.all([1, 2, 3].map(() => db.tx((tx) => cancelLeaseGroup(tx, id))));
    expect(answers.map((ended) => ended.length).sort()).toEqual([0, 0, 2]);
    expect(await readLeaseGroup(db, id)).toMatchObject({ remaining: 0, cancelled: 2 });
  });
});

describe('a paused work', () => {
  it('is noticed by its holders at their next checkpoint', async () => {
    const id = await work(1);
    const held = (await claim())!;
    await setLeaseGroupPaused(db, id, true);
    const moved = await db.tx((tx) =>
      checkpointLease(tx, held, { cursor: held.cursor, reserved: held.cursor, ttlMs: 1000 }),
    );
    expect(moved?.held.paused).toBe(true);
  });
});
