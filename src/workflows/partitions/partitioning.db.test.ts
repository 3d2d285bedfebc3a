import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { faultyDatabase } from '../../../test/support/faulty-database.ts';
import { type Database, one } from '../../db/database.ts';
import { openDatabase } from '../../db/pool.ts';
import { claimLeaseById, claimLeases } from '../../engine/leases/claim-store.ts';
import { checkpointLeases, releaseLeases } from '../../engine/leases/cursor-store.ts';
import { setLeaseGroupPaused } from '../../engine/leases/lease-group-store.ts';
import { registerWorker } from '../../engine/workers/worker-store.ts';
import { offsetKey, START_OFFSET } from '../../events/offset.ts';
import { LEASE_GROUP_TYPE, openPartitioning } from './partitioning.ts';
import { minReaderOffset, readersOf } from './partitioning-store.ts';

let db: Database & { url: string };
let other: Database;
let workflow = '';
let tests = 0;
beforeAll(async () => {
  db = await freshDatabase(6);
  other = await openDatabase({ databaseUrl: db.url, max: 6 });
});
afterAll(async () => {
  await other.close();
  await db.close();
});
beforeEach(() => {
  workflow = `order${tests++}`;
});

const LONG = 60_000;
const three = { mode: 'static', total: 3 } as const;
const slots = { mode: 'slots' } as const;
const at = (xid: number) => ({ xid: BigInt(xid), position: 1n });

async function counts() {
  return one<{ layouts: number; readers: number; works: number; leases: number }>(
    db,
    `select (select count(*) from layout) as layouts, (select count(*) from reader) as readers,
            (select count(*) from lease_group where kind like 'workflow-%') as works,
            (select count(*) from range_lease join lease_group on lease_group.id = group_id where kind like 'workflow-%') as leases`,
  );
}

describe('a layout', () => {
  it('of partitions has a reader for each, at the beginning of the log', async () => {
    const layout = await openPartitioning(db, workflow, three);
    expect(layout).toMatchObject({ workflow, epoch: 1, mode: 'static', total: 3 });
    expect(layout.readers.map(({ name, part }) => [name, part])).toEqual([
      [`${workflow}_runner_partition_0_of_3`, 0],
      [`${workflow}_runner_partition_1_of_3`, 1],
      [`${workflow}_runner_partition_2_of_3`, 2],
    ]);
    expect((await readersOf(db, workflow)).map(({ offset }) => offset)).toEqual([
      START_OFFSET,
      START_OFFSET,
      START_OFFSET,
    ]);
  });

  it('of slots has a reader for each of the 256, which any runner may claim', async () => {
    const layout = await openPartitioning(db, workflow, slots);
    expect(layout).toMatchObject({ mode: 'slots', total: 256 });
    expect(layout.readers[7]).toMatchObject({ name: `${workflow}_slot_7`, part: 7 });
    const wanted = {
      kind: LEASE_GROUP_TYPE.slots,
      groupId: layout.groupId,
      holder: randomUUID(),
      ttlMs: LONG,
    };
    const held = await claimLeases(db, wanted, 1000);
    expect(new Set(held.map(({ id }) => id))).toEqual(new Set(layout.readers.map(({ lease }) => lease)));
  });

  it('is there once: opened again, it is the same', async () => {
    const first = await openPartitioning(db, workflow, three);
    const before = await counts();
    expect(await openPartitioning(other, workflow, three)).toEqual(first);
    expect(await counts()).toEqual(before);
  });

  it('is created once by many who start at the same moment', async () => {
    const before = await counts();
    const openers = Array.from({ length: 10 }, (_, n) =>
      openPartitioning(n % 2 ? db : other, workflow, three),
    );
    const layouts = await Promise.all(openers);
    for (const layout of layouts) expect(layout).toEqual(layouts[0]);
    const { layouts: l, readers, works, leases } = before;
    expect(await counts()).toEqual({
      layouts: l + 1,
      readers: readers + 3,
      works: works + 1,
      leases: leases + 3,
    });
  });

  it('is found by who saw none and came second', async () => {
    let first: Promise<unknown> = Promise.resolve();
    const slow = faultyDatabase(db, async (statement) => {
      if (statement !== 2) return; // after it has read, before it locks
      first = openPartitioning(other, workflow, three);
      await first;
    });
    expect(await openPartitioning(slow, workflow, three)).toEqual(await first);
  });

  it('leaves nothing behind when its creation fails at any statement, and is created by the next', async () => {
    const before = await counts();
    let broken = 0;
    for (let at = 1, done = false; !done; at++) {
      const failing = faultyDatabase(db, async (statement) => {
        if (statement === at) throw new Error('gone');
      });
      done = await openPartitioning(failing, workflow, three).then(
        () => true,
        () => false,
      );
      if (done) break;
      broken++;
      expect(await counts()).toEqual(before);
    }
    expect(broken).toBeGreaterThan(5);
    expect((await counts()).readers).toBe(before.readers + 3);
  });

  it.each([
    [
      three,
      { mode: 'static', total: 5 },
      '3 partitions, not into 5',
      'with --partition 0/3',
      '--from 3 --to 5',
    ],
    [three, slots, '3 partitions, not into slots', 'with --partition 0/3', '--from 3 --to slots'],
    [slots, three, 'slots, not into 3', 'without --partition', '--from slots --to 3'],
  ] as const)(
    'of another shape is a conflict with two ways out (%#)',
    async (there, wanted, what, start, scale) => {
      await openPartitioning(db, workflow, there);
      await expect(openPartitioning(db, workflow, wanted)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining(what),
        hint: expect.stringMatching(
          new RegExp(`${start}.*seine partitions scale --workflow ${workflow} ${scale}`),
        ),
      });
    },
  );

  it('of no partitions is refused before anything is written', async () => {
    await expect(openPartitioning(db, workflow, { mode: 'static', total: 0 })).rejects.toMatchObject({
      kind: 'usage',
    });
    expect(await minReaderOffset(db, workflow)).toBeNull();
  });
});

describe('a partition', () => {
  const claim = (lease: number, from: Database = db) => claimLeaseById(from, lease, randomUUID(), LONG);

  it('is held by one of many who claim it at the same moment', async () => {
    const { readers } = await openPartitioning(db, workflow, three);
    const lease = readers[1]!.lease;
    const held = await Promise.all(Array.from({ length: 10 }, (_, n) => claim(lease, n % 2 ? db : other)));
    expect(held.filter((one) => one !== null)).toHaveLength(1);
    expect(await claim(lease)).toBeNull();
    expect(await claim(readers[2]!.lease)).toMatchObject({ id: readers[2]!.lease });
  });

  it('goes to the next when its holder expired, who then can write no more', async () => {
    const { readers } = await openPartitioning(db, workflow, three);
    const first = (await claim(readers[0]!.lease))!;
    await db.query(`update range_lease set expires_at = clock() - interval '1 ms' where id = $1`, [first.id]);
    const next = (await claim(readers[0]!.lease, other))!;
    expect(next.fencingToken).toBe(first.fencingToken + 1);
    const move = (held: typeof next) =>
      db.tx((tx) => checkpointLeases(tx, [{ held, cursor: offsetKey(at(5)) }], LONG));
    expect(await move(first)).toEqual([]);
    expect(await move(next)).toHaveLength(1);
  });

  it('continues where its holder left it', async () => {
    const { readers } = await openPartitioning(db, workflow, three);
    const held = (await claim(readers[0]!.lease))!;
    const moved = await db.tx((tx) => checkpointLeases(tx, [{ held, cursor: offsetKey(at(5)) }], LONG));
    await db.tx((tx) => releaseLeases(tx, moved));
    expect((await claim(readers[0]!.lease))!.cursor).toBe(offsetKey(at(5)));
  });

  it('is not claimed while its work is paused', async () => {
    const { readers, groupId: work } = await openPartitioning(db, workflow, three);
    await setLeaseGroupPaused(db, work, true);
    expect(await claim(readers[0]!.lease)).toBeNull();
  });
});

describe('the readers of a workflow', () => {
  it('have offsets, holders and expiry times', async () => {
    const { readers } = await openPartitioning(db, workflow, three);
    const runner = {
      id: randomUUID(),
      host: 'mill/7',
      pid: 4711,
      version: '1',
      threads: 0,
      concurrency: 0,
      role: 'workflows' as const,
      workflows: [],
    };
    await registerWorker(db, runner);
    const held = (await claimLeaseById(db, readers[0]!.lease, runner.id, LONG))!;
    await db.tx((tx) => checkpointLeases(tx, [{ held, cursor: offsetKey(at(9)) }], LONG));
    const unknown = randomUUID();
    await claimLeaseById(db, readers[1]!.lease, unknown, LONG);
    const free = { offset: START_OFFSET, holder: null, host: null, pid: null, expiresAt: null };
    expect(await readersOf(db, workflow)).toEqual([
      {
        ...readers[0],
        offset: at(9),
        holder: runner.id,
        host: 'mill',
        pid: 4711,
        expiresAt: expect.any(Date),
      },
      { ...readers[1], ...free, holder: unknown, expiresAt: expect.any(Date) },
      { ...readers[2], ...free },
    ]);
  });

  it('are not held when the lease has expired', async () => {
    const { readers } = await openPartitioning(db, workflow, three);
    await claimLeaseById(db, readers[0]!.lease, randomUUID(), -1);
    expect((await readersOf(db, workflow))[0]).toMatchObject({ holder: null, expiresAt: null });
  });

  it('hold the log back as far as the slowest of them', async () => {
    const { readers } = await openPartitioning(db, workflow, three);
    for (const [part, xid] of [900, 70, 256].entries()) {
      const held = (await claimLeaseById(db, readers[part]!.lease, randomUUID(), LONG))!;
      await db.tx((tx) => checkpointLeases(tx, [{ held, cursor: offsetKey(at(xid)) }], LONG));
    }
    expect(await minReaderOffset(db, workflow)).toEqual(at(70));
  });
});
