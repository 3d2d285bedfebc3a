/** Work stealers choose among leases by their stored keys, but sealed keys do not sort as the names do. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Key, keyOf } from '../../base/key.ts';
import type { Database } from '../../db/database.ts';
import { claimLease } from '../../engine/leases/claim-store.ts';
import { checkpointLease } from '../../engine/leases/lease-store.ts';
import { splittableLeases } from '../../engine/leases/split-store.ts';
import { runningScan } from '../monitor/running-scan.fixture.ts';
import { claimStealTarget } from '../planning/split-hint-store.ts';
import { NameMasker } from './name-masker.ts';

const names = new NameMasker(Buffer.alloc(32, 7));
const terms = { minSeconds: 1, splitLockMs: 60_000 };
const sealed = (name: string): Key => names.seal(keyOf(name));

let db: Database;
beforeEach(async () => {
  db = await freshDatabase();
});
afterEach(() => db.close());

/** One shard with this reservation and bound. */
async function shardWith(after: Key, reserved: Key, upTo: Key): Promise<number> {
  const scan = await runningScan(db, [{ after, upTo }]);
  const held = (await claimLease(db, { kind: 'shard', groupId: scan, holder: randomUUID(), ttlMs: 60_000 }))!;
  await db.tx((tx) => checkpointLease(tx, held, { cursor: after, reserved, ttlMs: 60_000 }));
  return scan;
}

it.each([
  ['whose end is a value', keyOf('hr/1.txt'), keyOf('hr/2.txt'), sealed('hr/219-73-8264.txt')],
  [
    'whose beginning is not one, but what is reserved is',
    keyOf('hr/1.txt'),
    sealed('hr/219-73-8264.txt'),
    keyOf('hs'),
  ],
  [
    'of values only',
    sealed('hr/119-73-9999.txt'),
    sealed('hr/219-73-8264.txt'),
    sealed('hr/319-73-1111.txt'),
  ],
])('a shard %s can be robbed', async (_, after, reserved, upTo) => {
  const scan = await shardWith(after, reserved, upTo);
  expect(await splittableLeases(db, scan)).toHaveLength(1);
  expect(await claimStealTarget(db, scan, terms)).not.toBeNull();
});

it('a shard of which all is reserved can not', async () => {
  const end = sealed('hr/219-73-8264.txt');
  const scan = await shardWith(keyOf('hr/1.txt'), end, end);
  expect(await splittableLeases(db, scan)).toEqual([]);
  expect(await claimStealTarget(db, scan, terms)).toBeNull();
});
