import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { FIRST_KEY, keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { type Database, one } from '../../db/database.ts';
import { claimLeases } from './claim-store.ts';
import { checkpointLeases, releaseLeases, renewLeases } from './cursor-store.ts';
import type { HeldLease } from './lease.ts';
import { cancelLeaseGroup, createLeaseGroup, setLeaseGroupPaused } from './lease-group-store.ts';
import { addLeases, checkpointLease, failLease, releaseWithBackoff } from './lease-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterAll(() => db.close());

const LONG = 60_000;
const [b, m] = [keyOf('b'), keyOf('m')];

async function held(count: number): Promise<readonly HeldLease[]> {
  const work = await db.tx(async (tx) => {
    const id = await createLeaseGroup(tx, { tenant: '', kind: 'test', priority: 0 });
    await addLeases(tx, id, Array(count).fill(FULL_RANGE));
    return id;
  });
  return claimAll(work);
}

function claimAll(work: number): Promise<readonly HeldLease[]> {
  return claimLeases(db, { kind: 'test', groupId: work, holder: randomUUID(), ttlMs: LONG }, 1000);
}

async function expire(leases: readonly HeldLease[]): Promise<void> {
  const ids = leases.map(({ id }) => id);
  await db.query(
    `update range_lease set expires_at = clock() - interval '1 s' where id = any($1::bigint[])`,
    [ids],
  );
}

const move = (leases: readonly HeldLease[], cursor = b) =>
  db.tx((tx) =>
    checkpointLeases(
      tx,
      leases.map((one) => ({ held: one, cursor })),
      LONG,
    ),
  );
const release = (leases: readonly HeldLease[]) => db.tx((tx) => releaseLeases(tx, leases));
const sorted = (leases: readonly HeldLease[]) => leases.toSorted((x, y) => x.id - y.id);

describe('moving many cursors', () => {
  it('moves each cursor separately, and the returned leases can be moved again', async () => {
    const [one, two] = sorted(await held(2)) as [HeldLease, HeldLease];
    const first = await db.tx((tx) =>
      checkpointLeases(
        tx,
        [
          { held: two, cursor: m },
          { held: one, cursor: b },
        ],
        LONG,
      ),
    );
    expect(sorted(first).map(({ cursor, checkpointSeq }) => [cursor, checkpointSeq])).toEqual([
      [b, 1],
      [m, 1],
    ]);
    expect(await move(first, keyOf('z'))).toHaveLength(2);
  });

  it('skips leases that another holder took over, and moves the rest', async () => {
    const [lost, ...rest] = sorted(await held(3));
    await expire([lost!]);
    const [taken] = await claimAll(lost!.groupId);
    expect(sorted(await move([lost!, ...rest])).map(({ id }) => id)).toEqual(rest.map(({ id }) => id));
    expect(await move([taken!], m)).toMatchObject([
      { id: lost!.id, cursor: m, fencingToken: lost!.fencingToken + 1 },
    ]);
  });

  it('leaves out what was moved before: a repeated move has no effect', async () => {
    const leases = await held(2);
    await move(leases, b);
    expect(await move(leases, m)).toEqual([]);
    expect((await expireAndClaim(leases)).map(({ cursor }) => cursor)).toEqual([b, b]);
  });

  it('leaves out those of a work that was cancelled', async () => {
    const leases = await held(2);
    await db.tx((tx) => cancelLeaseGroup(tx, leases[0]!.groupId));
    expect(await move(leases)).toEqual([]);
  });

  it('is accepted after they expired while unclaimed, and renews them', async () => {
    const leases = await held(2);
    await expire(leases);
    expect(await move(leases)).toHaveLength(2);
    expect(await claimAll(leases[0]!.groupId)).toEqual([]);
  });

  it('forgets attempts and failures only of those whose cursor moved', async () => {
    const leases = await held(2);
    for (const one of leases) await releaseWithBackoff(db, one, 'away', 0);
    const [one, two] = (await claimAll(leases[0]!.groupId)) as [HeldLease, HeldLease];
    const moves = [
      { held: one, cursor: b },
      { held: two, cursor: FIRST_KEY },
    ];
    const moved = await db.tx((tx) => checkpointLeases(tx, moves, LONG));
    const counts = new Map(
      moved.map(({ id, claimsSinceProgress, errorsSinceProgress }) => [
        id,
        [claimsSinceProgress, errorsSinceProgress],
      ]),
    );
    expect(counts.get(one.id)).toEqual([0, 0]);
    expect(counts.get(two.id)).toEqual([2, 1]);
  });

  it('reports that the group is paused, as a checkpoint of one does', async () => {
    const leases = await held(1);
    await setLeaseGroupPaused(db, leases[0]!.groupId, true);
    expect(await move(leases)).toMatchObject([{ paused: true }]);
  });

  it('follows on a checkpoint of one, and the other way round', async () => {
    const [one] = (await held(1)) as [HeldLease];
    const [moved] = await move([one]);
    const checkpoint = await db.tx((tx) =>
      checkpointLease(tx, moved!, { cursor: m, reserved: m, ttlMs: LONG }),
    );
    expect(checkpoint).toMatchObject({ repeated: false, held: { cursor: m, checkpointSeq: 2 } });
    expect(await move([checkpoint!.held], keyOf('z'))).toHaveLength(1);
  });

  it('leaves no trace when its transaction fails', async () => {
    const leases = await held(2);
    const failing = db.tx(async (tx) => {
      await checkpointLeases(
        tx,
        leases.map((one) => ({ held: one, cursor: b })),
        LONG,
      );
      throw new Error('the batch failed');
    });
    await expect(failing).rejects.toThrow('the batch failed');
    expect(await move(leases, m)).toHaveLength(2);
  });

  it('is released without counting the claim, unless its holder failed', async () => {
    const attempts = async ([lease]: readonly HeldLease[]) =>
      (
        await one<{ attempts: number }>(
          db,
          'select claims_since_progress as attempts from range_lease where id = $1',
          [lease!.id],
        )
      ).attempts;
    const orderly = await held(1);
    await release(orderly);
    expect(await attempts(orderly)).toBe(0);
    const failed = await held(1);
    await db.tx((tx) => releaseLeases(tx, failed, { failed: true }));
    expect(await attempts(failed)).toBe(1);
  });

  it('of nothing is nothing', async () => {
    expect(await move([])).toEqual([]);
    expect(await renewLeases(db, [], LONG)).toEqual(new Set());
    expect(await release([])).toBe(0);
  });

  it('does not deadlock with statements on the same leases in another order', async () => {
    const leases = await held(40);
    const rounds = Array.from({ length: 6 }, async (_, n) => {
      const mine = n % 2 ? leases : leases.toReversed();
      if (n < 2) return [(await move(mine)).length];
      const sizes: number[] = [];
      for (let i = 0; i < 20; i++) sizes.push((await renewLeases(db, mine, LONG)).size);
      return sizes;
    });
    const [one, two, ...renewed] = await Promise.all(rounds);
    expect([one, two].flat().toSorted()).toEqual([0, 40]);
    expect(new Set(renewed.flat())).toEqual(new Set([40]));
  });
});

describe('renewing many', () => {
  it('returns the leases that are still held', async () => {
    const [lost, failed, ...rest] = (await held(4)) as [HeldLease, HeldLease, HeldLease, HeldLease];
    await expire([lost]);
    await claimAll(lost.groupId);
    await db.tx((tx) => failLease(tx, failed, 'broken'));
    const kept = await renewLeases(db, [lost, failed, ...rest], LONG);
    expect(kept).toEqual(new Set(rest.map(({ id }) => id)));
  });

  it('keeps them from others, and does not disturb the next move', async () => {
    const leases = await held(2);
    await expire(leases);
    expect((await renewLeases(db, leases, LONG)).size).toBe(2);
    expect(await claimAll(leases[0]!.groupId)).toEqual([]);
    expect(await move(leases)).toHaveLength(2);
  });
});

describe('releasing many', () => {
  it('makes them claimable at their cursors, and counts no attempt', async () => {
    const leases = await move(await held(3), m);
    expect(await release(leases)).toBe(3);
    const next = await claimAll(leases[0]!.groupId);
    expect(next.map(({ cursor, claimsSinceProgress }) => [cursor, claimsSinceProgress])).toEqual([
      [m, 1],
      [m, 1],
      [m, 1],
    ]);
  });

  it('skips leases that another holder took over, and is applied once', async () => {
    const [lost, kept] = (await held(2)) as [HeldLease, HeldLease];
    await expire([lost]);
    await claimAll(lost.groupId);
    expect(await release([lost, kept])).toBe(1);
    expect(await release([lost, kept])).toBe(0);
  });
});

async function expireAndClaim(leases: readonly HeldLease[]): Promise<readonly HeldLease[]> {
  await expire(leases);
  return claimAll(leases[0]!.groupId);
}
