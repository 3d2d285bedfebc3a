import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Key, keyFromBytes } from '../../base/key.ts';
import type { Range } from '../../base/range.ts';
import { type Database, many } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { readLeaseGroup } from '../../engine/leases/lease-group-store.ts';
import { checkpointLease } from '../../engine/leases/lease-store.ts';
import { splitLeaseAt } from '../../engine/leases/split-store.ts';
import { makeBucket } from '../../sources/sim/shapes.ts';
import { createSimSource } from '../../sources/sim/sim.ts';
import type { Source } from '../../sources/source.ts';
import { newWorker, runningScan } from '../monitor/running-scan.fixture.ts';
import { WorkStealer } from './work-stealer.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(10);
});
afterAll(() => db.close());

const never = new AbortController().signal;
const OBJECTS = 50_000;
const bucket = makeBucket('hive', OBJECTS, 5);
const source = createSimSource({ objects: OBJECTS, shape: 'hive', seed: 5 });

/** One shard over everything whose holder has listed a little. */
async function startedShard(listed = 500): Promise<{ scan: number; lease: number }> {
  const scan = await runningScan(db);
  const held = (await claimLease(db, { kind: 'shard', groupId: scan, holder: randomUUID(), ttlMs: 60_000 }))!;
  const key = bucket.keyAt(listed - 1);
  await db.tx((tx) => checkpointLease(tx, held, { cursor: key, reserved: key, ttlMs: 60_000 }));
  await db.query('update shard set listed = $2 where lease_id = $1', [held.id, listed]);
  await db.query(`update range_lease set claimed_at = clock() - interval '5 seconds' where id = $1`, [
    held.id,
  ]);
  return { scan, lease: held.id };
}

const stealerOf = (scan: number, from: Source = source) =>
  new WorkStealer(db, scan, from, { firstPauseMs: 0 });

async function shardsOf(scan: number): Promise<Range[]> {
  const rows = await many<{ after_key: Buffer; up_to: Buffer | null }>(
    db,
    'select after_key, up_to from range_lease where group_id = $1 order by after_key',
    [scan],
  );
  return rows.map((row) => ({
    after: keyFromBytes(row.after_key),
    upTo: row.up_to && keyFromBytes(row.up_to),
  }));
}

function expectTiles(shards: readonly Range[]): void {
  expect(shards[0]!.after).toBe('');
  expect(shards.at(-1)!.upTo).toBeNull();
  for (const [i, shard] of shards.slice(1).entries()) expect(shard.after).toBe(shards[i]!.upTo);
}

const sizeOf = ({ after, upTo }: Range) =>
  (upTo === null ? OBJECTS : bucket.countUpTo(upTo)) - (after === '' ? 0 : bucket.countUpTo(after));

describe('a work stealer', () => {
  it('takes a good part of what the only holder has left, and leaves behind what it saw', async () => {
    const { scan, lease } = await startedShard();
    expect(await stealerOf(scan).steal(never)).toBe(true);
    const shards = await shardsOf(scan);
    expectTiles(shards);
    expect(Math.max(...shards.map(sizeOf))).toBeLessThan(0.95 * OBJECTS);
    expect(Math.min(...shards.map(sizeOf))).toBeGreaterThan(0);
    expect(await readLeaseGroup(db, scan)).toMatchObject({ remaining: shards.length });
    const hints = await many<{ lease_id: number; estimated_keys: number }>(
      db,
      'select lease_id, estimated_keys from lease_split_hint join range_lease as lease on lease.id = lease_id where group_id = $1',
      [scan],
    );
    expect(hints).toHaveLength(shards.length);
    expect(hints.find((hint) => hint.lease_id === lease)!.estimated_keys).toBeGreaterThanOrEqual(500);
  });

  it('splits into as many parts as there are free slots', async () => {
    const { scan } = await startedShard();
    const busy = await db.query<{ n: number }>(
      `select count(*)::int as n from range_lease where state = 'held'`,
    );
    const worker = await newWorker(db, { hands: busy.rows[0]!.n + 6 });
    expect(await stealerOf(scan).steal(never)).toBe(true);
    expect((await shardsOf(scan)).length).toBeGreaterThan(4);
    await db.query('delete from worker where id = $1', [worker]);
  });

  it('takes nothing while something waits to be claimed', async () => {
    const { scan } = await startedShard();
    expect(await stealerOf(scan).steal(never)).toBe(true);
    const before = await shardsOf(scan);
    expect(await stealerOf(scan).steal(never)).toBe(false);
    expect(await shardsOf(scan)).toEqual(before);
  });

  it('does not block a shard when its probes fail', async () => {
    const { scan } = await startedShard();
    const away: Source = { ...source, page: () => Promise.reject(new Error('the store is away')) };
    expect(await stealerOf(scan, away).steal(never)).toBe(false);
    await db.query(
      `update range_lease set split_lock_until = clock() - interval '1 second' where group_id = $1`,
      [scan],
    );
    expect(await stealerOf(scan).steal(never)).toBe(true);
  });

  it('of many that race for one shard leaves nothing in two shards or in none', async () => {
    const { scan } = await startedShard();
    const stolen = await Promise.all(Array.from({ length: 8 }, () => stealerOf(scan).steal(never)));
    expect(stolen).toContain(true);
    const shards = await shardsOf(scan);
    expectTiles(shards);
    expect(shards.reduce((sum, shard) => sum + sizeOf(shard), 0)).toBe(OBJECTS);
    expect(await readLeaseGroup(db, scan)).toMatchObject({ remaining: shards.length });
  });
});

describe('several splitPoints at once', () => {
  it('made by several at the same time leave no gap and no overlap, whichever come first', async () => {
    const { scan, lease } = await startedShard();
    const at = (share: number) => bucket.keyAt(Math.floor(share * OBJECTS));
    const wishes: Key[][] = [
      [at(0.2), at(0.4), at(0.6)],
      [at(0.3), at(0.6), at(0.9)],
      [at(0.001), at(0.5)],
    ];
    const split = await Promise.all(
      wishes.map((splitPoints) => db.tx((tx) => splitLeaseAt(tx, lease, splitPoints))),
    );
    const shards = await shardsOf(scan);
    expectTiles(shards);
    expect(shards).toHaveLength(1 + split.flat().length);
    expect(await readLeaseGroup(db, scan)).toMatchObject({ remaining: shards.length });
    expect(shards[0]!.upTo! > bucket.keyAt(499)).toBe(true); // the holder keeps what it had reserved
  });
});
