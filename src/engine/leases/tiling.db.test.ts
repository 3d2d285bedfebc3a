import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Key, keyOf } from '../../base/key.ts';
import { FULL_RANGE } from '../../base/range.ts';
import { type Database, many } from '../../db/database.ts';
import { claimLease } from './claim-store.ts';
import type { HeldLease } from './lease.ts';
import { createLeaseGroup, readLeaseGroup } from './lease-group-store.ts';
import { addLeases, checkpointLease, completeLease, releaseLease } from './lease-store.ts';
import { splitLease, splittableLeases } from './split-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

/** The next operation of a worker of the model; `pick` chooses the holder, `key` the position. */
const step = fc.record({
  act: fc.constantFrom('claim', 'advance', 'split', 'release', 'die', 'complete'),
  pick: fc.nat(7),
  key: fc.nat(99).map((n) => keyOf(`k${String(n).padStart(2, '0')}`)),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

it('leaves no gap and no overlap between ranges, and counts right, whatever the workers do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const work = await db.tx(async (tx) => {
        const id = await createLeaseGroup(tx, { tenant: 'default', kind: 'tiling', priority: 0 });
        await addLeases(tx, id, [FULL_RANGE]);
        return id;
      });
      const held: HeldLease[] = [];
      let zeros = 0;
      for (const next of steps) zeros += await take(work, held, next);
      await expectTiles(work);
      const { remaining } = (await readLeaseGroup(db, work))!;
      expect(zeros).toBe(remaining === 0 ? 1 : 0);
    }),
    { numRuns: 60 },
  );
}, 60_000);

/** Returns 1 when this step ended the group. */
async function take(work: number, held: HeldLease[], { act, pick, key }: Step): Promise<number> {
  const one = held[pick % Math.max(1, held.length)];
  const drop = () => held.splice(held.indexOf(one!), 1);
  if (act === 'claim') {
    const claimed = await claimLease(db, {
      kind: 'tiling',
      groupId: work,
      holder: randomUUID(),
      ttlMs: 60_000,
    });
    if (claimed) held.push(claimed);
  } else if (act === 'split') await split(work, pick, key);
  else if (!one) return 0;
  else if (act === 'advance') await advance(held, one, key);
  else if (act === 'release') await db.tx((tx) => releaseLease(tx, drop()[0]!));
  else if (act === 'die')
    await db.query("update range_lease set expires_at = now() - interval '1 s' where id = $1", [one.id]); // the holder continues as a zombie
  else return (await db.tx((tx) => completeLease(tx, drop()[0]!))) === 0 ? 1 : 0;
  return 0;
}

async function advance(held: HeldLease[], one: HeldLease, key: Key): Promise<void> {
  if (key < one.cursor || (one.upTo !== null && key > one.upTo)) return;
  const moved = await db.tx((tx) => checkpointLease(tx, one, { cursor: key, reserved: key, ttlMs: 60_000 }));
  held.splice(held.indexOf(one), 1, ...(moved ? [moved.held] : []));
}

async function split(work: number, pick: number, key: Key): Promise<void> {
  const leases = await splittableLeases(db, work);
  const lease = leases[pick % Math.max(1, leases.length)];
  if (lease) await db.tx((tx) => splitLease(tx, lease.id, key));
}

async function expectTiles(work: number): Promise<void> {
  const rows = await many<{ after_key: Buffer; up_to: Buffer | null; cursor: Buffer; state: string }>(
    db,
    'select after_key, up_to, cursor, state from range_lease where group_id = $1 order by after_key',
    [work],
  );
  expect(rows[0]!.after_key).toHaveLength(0);
  expect(rows.at(-1)!.up_to).toBeNull();
  for (const [i, row] of rows.slice(1).entries()) expect(row.after_key).toEqual(rows[i]!.up_to);
  for (const row of rows) expect(Buffer.compare(row.cursor, row.after_key)).toBeGreaterThanOrEqual(0);
  expect(rows.filter((row) => row.state === 'waiting' || row.state === 'held')).toHaveLength(
    (await readLeaseGroup(db, work))!.remaining,
  );
}
