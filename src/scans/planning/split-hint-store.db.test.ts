import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { type Key, keyOf } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import type { Database } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { checkpointLease } from '../../engine/leases/lease-store.ts';
import { releaseSplitLock } from '../../engine/leases/split-store.ts';
import { newWorker, runningScan } from '../monitor/running-scan.fixture.ts';
import { claimStealTarget, readClusterLoad, writePageHint, writeSplitHint } from './split-hint-store.ts';

let db: Database;
let later: (ms: number) => Promise<void>;
beforeAll(async () => {
  db = await freshDatabase(10);
  later = await movableClock(db); // remaining work is computed in seconds, and half a second matters
});
afterAll(() => db.close());

const terms = { minSeconds: 1, splitLockMs: 60_000 };
const bounds = ['', 'b', 'd', 'f', 'h'].map(keyOf);

/** Held shards, each with a small reservation, that took an hour for a thousand objects. */
async function scanWith(shards: number): Promise<{ scan: number; held: HeldLease[] }> {
  const ranges: Range[] = Array.from({ length: shards }, (_, i) => ({
    after: bounds[i]!,
    upTo: i === shards - 1 ? null : bounds[i + 1]!,
  }));
  const scan = await runningScan(db, ranges);
  const held: HeldLease[] = [];
  for (const range of ranges) {
    const lease = (await claimLease(db, {
      kind: 'shard',
      groupId: scan,
      holder: randomUUID(),
      ttlMs: 60_000,
    }))!;
    const reserved = `${range.after}a` as Key;
    await db.tx((tx) => checkpointLease(tx, lease, { cursor: range.after, reserved, ttlMs: 60_000 }));
    held.push(lease);
  }
  return { scan, held };
}

const expecting = (lease: HeldLease, expected: number, exact = false, slack = 0) =>
  db.tx((tx) =>
    writeSplitHint(tx, lease.id, { estimatedKeys: expected, exact, countError: slack, countedRanges: [] }, 0),
  );

const listed = async (lease: HeldLease, objects: number, seconds: number) => {
  await db.query('update shard set listed = $2 where lease_id = $1', [lease.id, objects]);
  await db.query(`update range_lease set claimed_at = clock() - $2 * interval '1 second' where id = $1`, [
    lease.id,
    seconds,
  ]);
};

describe('the shard to steal from', () => {
  it('is the one with most left; an unprobed one may have the most', async () => {
    const { scan, held } = await scanWith(3);
    await expecting(held[0]!, 5000);
    await expecting(held[2]!, 9000);
    const order = [
      await claimStealTarget(db, scan, terms),
      await claimStealTarget(db, scan, terms),
      await claimStealTarget(db, scan, terms),
    ];
    expect(order.map((target) => target?.id)).toEqual([held[1]!.id, held[2]!.id, held[0]!.id]);
  });

  it('gets an estimate reduced by the progress of its holder, and raised when the progress exceeds it', async () => {
    const { scan, held } = await scanWith(2);
    await expecting(held[0]!, 5000);
    await listed(held[0]!, 4000, 100);
    await expecting(held[1]!, 5000);
    await listed(held[1]!, 9000, 100);
    expect(await claimStealTarget(db, scan, terms)).toMatchObject({ id: held[1]!.id, left: 4000 });
    expect(await claimStealTarget(db, scan, terms)).toMatchObject({
      id: held[0]!.id,
      left: 1000,
      listed: 4000,
    });
  });

  it('is probed by one work stealer each, also for concurrent requests', async () => {
    const { scan, held } = await scanWith(4);
    const targets = await Promise.all(Array.from({ length: 12 }, () => claimStealTarget(db, scan, terms)));
    const ids = targets.flatMap((target) => (target ? [target.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    // A claim that waited for a locked row may have returned nothing; no row was claimed twice.
    await repeatWhile('steal targets', () =>
      claimStealTarget(db, scan, terms).then((target) => target && ids.push(target.id)),
    );
    expect(ids.sort()).toEqual(held.map(({ id }) => id).sort());
  });

  it('can be probed again when the split lock was released or has expired', async () => {
    const { scan, held } = await scanWith(1);
    expect(await claimStealTarget(db, scan, terms)).not.toBeNull();
    expect(await claimStealTarget(db, scan, terms)).toBeNull();
    await releaseSplitLock(db, held[0]!.id);
    await later(1);
    expect(await claimStealTarget(db, scan, { ...terms, splitLockMs: -1 })).not.toBeNull(); // expires at once
    expect(await claimStealTarget(db, scan, terms)).not.toBeNull();
  });

  it('is skipped for a while after it could not be split', async () => {
    const { scan, held } = await scanWith(1);
    await claimStealTarget(db, scan, terms);
    await releaseSplitLock(db, held[0]!.id, 60_000);
    expect(await claimStealTarget(db, scan, terms)).toBeNull();
  });

  it('is none that has less than a moment of work left, be it few objects or quick ones', async () => {
    const { scan, held } = await scanWith(2);
    await expecting(held[0]!, 10_100, true);
    await listed(held[0]!, 10_000, 50);
    await expecting(held[1]!, 20_000, true);
    await listed(held[1]!, 10_000, 0.5);
    expect(await claimStealTarget(db, scan, terms)).toBeNull();
    expect(await claimStealTarget(db, scan, { ...terms, minSeconds: 0.45 })).toMatchObject({
      id: held[1]!.id,
    });
  });

  it('may be one that has hardly a moment of work left, if there may be some more than was counted', async () => {
    const { scan, held } = await scanWith(1);
    await expecting(held[0]!, 110, true, 60);
    await listed(held[0]!, 100, 5);
    expect(await claimStealTarget(db, scan, { ...terms, minSeconds: 1 })).toMatchObject({
      id: held[0]!.id,
      hint: { estimatedKeys: 110, exact: true, countError: 60 },
    });
  });

  it('may be one with a very low estimate, unless that is exact', async () => {
    const { scan, held } = await scanWith(1);
    await expecting(held[0]!, 10_001);
    await listed(held[0]!, 10_000, 0.5);
    expect(await claimStealTarget(db, scan, terms)).toMatchObject({ id: held[0]!.id, left: 1000 });
  });

  it('is not one that is reserved to its end, not held, or excluded from splits', async () => {
    const { scan, held } = await scanWith(3);
    await db.query('update range_lease set reserved_up_to = up_to where id = $1', [held[0]!.id]);
    await db.query(`update range_lease set state = 'waiting' where id = $1`, [held[1]!.id]);
    await db.query('update range_lease set no_split = true where id = $1', [held[2]!.id]);
    expect(await claimStealTarget(db, scan, terms)).toBeNull();
  });

  it('comes with what others have left behind, whatever bytes are in the keys', async () => {
    const { scan, held } = await scanWith(1);
    const keys = ['a\0b', 'größe', '\xff\xfe'] as Key[];
    const known = { after: keys[0]!, upTo: null, count: 2, bytes: 7, keys, places: [0, 1, 2] };
    await db.tx((tx) =>
      writeSplitHint(
        tx,
        held[0]!.id,
        { estimatedKeys: 12.5, exact: false, countError: 0, countedRanges: [known] },
        3,
      ),
    );
    await writePageHint(db, held[0]!.id, known);
    expect(await claimStealTarget(db, scan, terms)).toMatchObject({
      range: { after: '', upTo: null },
      reserved: 'a',
      page: known,
      hint: { estimatedKeys: 12.5, exact: false, countError: 0, countedRanges: [known] },
      failures: 3,
      secondsPerKey: null,
    });
  });
});

describe('the scene', () => {
  it('counts free slots of live workers and held shards, and whether something is waiting', async () => {
    const { scan } = await scanWith(2);
    const before = await readClusterLoad(db, scan);
    expect(before).toMatchObject({ waiting: false, running: 2 });
    await newWorker(db, { hands: 40 });
    await newWorker(db, { hands: 1000, seenSeconds: 90 });
    const held = await db.query<{ n: number }>(
      `select count(*)::int as n from range_lease where state = 'held'`,
    );
    expect((await readClusterLoad(db, scan)).idle).toBe(40 - held.rows[0]!.n);
    await db.query(`update range_lease set state = 'waiting' where group_id = $1`, [scan]);
    expect(await readClusterLoad(db, scan)).toMatchObject({ waiting: true, running: 0 });
  });
});
