import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { FIRST_KEY, keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import type { Database } from '../../db/database.ts';
import { claimLease } from './claim-store.ts';
import type { HeldLease } from './lease.ts';
import { createLeaseGroup, readLeaseGroup } from './lease-group-store.ts';
import {
  addLeases,
  checkpointLease,
  completeLease,
  failLease,
  releaseLease,
  releaseWithBackoff,
  renewLease,
} from './lease-store.ts';
import { splitLease, splittableLeases } from './split-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const LONG = 60_000;
const [b, m, z] = [keyOf('b'), keyOf('m'), keyOf('z')];

async function newWork(ranges = [FULL_RANGE]): Promise<number> {
  return db.tx(async (tx) => {
    const work = await createLeaseGroup(tx, { tenant: 'default', kind: 'test', priority: 0 });
    await addLeases(tx, work, ranges);
    return work;
  });
}

function claim(work: number, ttlMs = LONG): Promise<HeldLease | null> {
  return claimLease(db, { kind: 'test', groupId: work, holder: randomUUID(), ttlMs });
}

/** Expired a moment ago, by the database's clock. */
async function claimExpired(work: number): Promise<HeldLease> {
  const held = (await claim(work))!;
  await db.query(`update range_lease set expires_at = now() - interval '1 second' where id = $1`, [held.id]);
  return held;
}

/** The state of a replica that the claim has not reached. */
async function undoClaim({ id }: HeldLease): Promise<void> {
  await db.query(
    `update range_lease set state = 'waiting', fencing_token = fencing_token - 1, claim_id = null, claims_since_progress = claims_since_progress - 1, holder = null,
                      expires_at = null, renewed_at = null, claimed_at = null
     where id = $1`,
    [id],
  );
}

const move = (held: HeldLease, cursor = b, reserved = cursor) =>
  db.tx((tx) => checkpointLease(tx, held, { cursor, reserved, ttlMs: LONG }));

describe('claiming', () => {
  it('is granted to one of many concurrent claims', async () => {
    const work = await newWork();
    const answers = await Promise.all(Array.from({ length: 5 }, () => claim(work)));
    expect(answers.filter((held) => held !== null)).toHaveLength(1);
  });

  it('gives an expired lease to the next, with a higher token, at the same cursor', async () => {
    const work = await newWork();
    const first = await claimExpired(work);
    const second = (await claim(work))!;
    expect(second).toMatchObject({
      id: first.id,
      fencingToken: first.fencingToken + 1,
      cursor: FIRST_KEY,
      claimsSinceProgress: 2,
    });
  });

  it('distinguishes two claims with the same token after a failover lost the first', async () => {
    const work = await newWork();
    const lost = (await claim(work))!;
    await undoClaim(lost);
    const next = (await claim(work))!;
    expect([next.fencingToken, next.checkpointSeq]).toEqual([lost.fencingToken, lost.checkpointSeq]);
    expect((await move(next, b))!.repeated).toBe(false);
    expect(await move(lost, b)).toBeNull(); // not treated as a repetition of the other claim's
    expect(await renewLease(db, lost, LONG)).toBe(false);
    expect(await releaseWithBackoff(db, lost, 'late', 0)).toBe(0);
    expect(await db.tx((tx) => releaseLease(tx, lost))).toBe(false);
    expect(await db.tx((tx) => failLease(tx, lost, 'late'))).toBeNull();
    expect(await db.tx((tx) => completeLease(tx, lost))).toBeNull();
  });

  it('gives nothing of a paused work', async () => {
    const work = await newWork();
    await db.query('update lease_group set paused = true where id = $1', [work]);
    expect(await claim(work)).toBeNull();
  });

  it('takes the work of higher priority first when any will do', async () => {
    const [low, high] = [await newWork(), await newWork()];
    await db.query(`update lease_group set priority = 5, kind = 'ranked' where id = $1`, [high]);
    await db.query(`update lease_group set kind = 'ranked' where id = $1`, [low]);
    const held = await claimLease(db, { kind: 'ranked', groupId: null, holder: randomUUID(), ttlMs: LONG });
    expect(held?.groupId).toBe(high);
  });

  it('respects the delay of a released lease', async () => {
    const work = await newWork();
    await releaseWithBackoff(db, (await claim(work))!, 'the source is away', LONG);
    expect(await claim(work)).toBeNull();
    await db.query('update range_lease set not_before = now() where group_id = $1', [work]);
    expect(await claim(work)).toMatchObject({ claimsSinceProgress: 2 });
  });
});

describe('a checkpoint', () => {
  it('moves the cursor, and the next holder starts there', async () => {
    const work = await newWork();
    const held = (await claim(work))!;
    const moved = (await move(held, b))!.held;
    await db.tx((tx) => releaseLease(tx, moved));
    expect((await claim(work))!.cursor).toBe(b);
  });

  it('is refused once another worker took over, and nothing moves', async () => {
    const work = await newWork();
    const slow = await claimExpired(work);
    const taker = (await claim(work))!;
    expect(await move(slow, m)).toBeNull();
    expect((await move(taker, b))!.held.cursor).toBe(b);
  });

  it('is still accepted after the lease expired, while it is unclaimed', async () => {
    const held = await claimExpired(await newWork());
    expect(await move(held, b)).not.toBeNull();
  });

  it('that is repeated because its answer was lost is recognised and counts once', async () => {
    const held = (await claim(await newWork()))!;
    const first = (await move(held, b))!;
    const again = (await move(held, b))!;
    expect(first.repeated).toBe(false);
    expect(again).toEqual({ held: first.held, repeated: true });
  });

  it('forgets failed attempts only when the cursor moved', async () => {
    const work = await newWork();
    await claimExpired(work);
    const held = (await claim(work))!;
    const still = (await move(held, FIRST_KEY, b))!.held;
    expect(still.claimsSinceProgress).toBe(2);
    expect((await move(still, b))!.held.claimsSinceProgress).toBe(0);
  });

  it('passes the reservation of this holder to the next one', async () => {
    const work = await newWork();
    const held = (await claim(work))!;
    await move(held, b, m);
    await db.query(`update range_lease set expires_at = now() - interval '1 second' where group_id = $1`, [
      work,
    ]);
    expect((await claim(work))!.previousReservedUpTo).toBe(m);
  });

  it('written in a transaction that fails leaves no trace', async () => {
    const held = (await claim(await newWork()))!;
    const failing = db.tx(async (tx) => {
      await checkpointLease(tx, held, { cursor: z, reserved: z, ttlMs: LONG });
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect((await move(held, b))!.repeated).toBe(false);
  });
});

describe('renewing', () => {
  it('keeps a lease and reports when it is lost', async () => {
    const work = await newWork();
    const held = await claimExpired(work);
    expect(await renewLease(db, held, LONG)).toBe(true);
    expect(await claim(work)).toBeNull();
    await db.query(`update range_lease set expires_at = now() - interval '1 second' where group_id = $1`, [
      work,
    ]);
    await claim(work);
    expect(await renewLease(db, held, LONG)).toBe(false);
  });
});

describe('splitting', () => {
  const split = (id: number, mid = m) => db.tx((tx) => splitLease(tx, id, mid));

  it('splits at the key: the left range includes it, the right range begins after it', async () => {
    const work = await newWork();
    const held = (await claim(work))!;
    await move(held, FIRST_KEY, b);
    expect(await split(held.id)).not.toBeNull();
    const right = (await claim(work))!;
    expect(right).toMatchObject({ cursor: m, upTo: null });
    expect(await readLeaseGroup(db, work)).toMatchObject({ remaining: 2 });
  });

  it('is returned to the holder at its next checkpoint', async () => {
    const work = await newWork();
    const held = (await claim(work))!;
    const reserved = (await move(held, FIRST_KEY, b))!.held;
    await split(held.id);
    expect((await move(reserved, b, b))!.held.upTo).toBe(m);
  });

  it('is rejected inside the reserved range', async () => {
    const held = (await claim(await newWork()))!;
    await move(held, b, z);
    expect(await split(held.id)).toBeNull();
  });

  it('is refused exactly at the reserved key and at the end of the range', async () => {
    const held = (await claim(await newWork([{ after: FIRST_KEY, upTo: z }])))!;
    await move(held, FIRST_KEY, b);
    expect(await split(held.id, b)).toBeNull();
    expect(await split(held.id, z)).toBeNull();
  });

  it('is not offered for a lease without progress, nor one that is reserved to its end', async () => {
    const work = await newWork([{ after: FIRST_KEY, upTo: z }]);
    const held = (await claim(work))!;
    expect(await splittableLeases(db, work)).toEqual([]);
    const started = (await move(held, FIRST_KEY, b))!.held;
    expect(await splittableLeases(db, work)).toEqual([{ id: held.id, free: { after: b, upTo: z } }]);
    await move(started, b, z);
    expect(await splittableLeases(db, work)).toEqual([]);
  });
});

describe('ending', () => {
  it('reaches zero exactly once, also when the last ones end together', async () => {
    const work = await newWork([
      { after: FIRST_KEY, upTo: b },
      { after: b, upTo: m },
      { after: m, upTo: null },
    ]);
    const held = [(await claim(work))!, (await claim(work))!, (await claim(work))!];
    const remaining = await Promise.all(held.map((one) => db.tx((tx) => completeLease(tx, one))));
    expect(remaining.toSorted()).toEqual([0, 1, 2]);
  });

  it('cannot be done twice, nor by a holder that lost the lease', async () => {
    const work = await newWork();
    const slow = await claimExpired(work);
    const taker = (await claim(work))!;
    expect(await db.tx((tx) => completeLease(tx, slow))).toBeNull();
    expect(await db.tx((tx) => completeLease(tx, taker))).toBe(0);
    expect(await db.tx((tx) => completeLease(tx, taker))).toBeNull();
    expect(await readLeaseGroup(db, work)).toMatchObject({ remaining: 0, failed: 0 });
  });

  it('badly counts too, so that the work ends and knows its hole', async () => {
    const work = await newWork();
    expect(await db.tx(async (tx) => failLease(tx, (await claim(work))!, 'gave up'))).toBe(0);
    expect(await readLeaseGroup(db, work)).toMatchObject({ remaining: 0, failed: 1 });
    expect(await claim(work)).toBeNull();
  });
});
