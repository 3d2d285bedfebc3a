import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, hasLockWaiter } from '../../../test/support/database.ts';
import { faultyDatabase } from '../../../test/support/faulty-database.ts';
import {
  advance,
  allEvents,
  holdPartition,
  moveTo,
  offsetAt,
  orphanedLeases,
} from '../../../test/support/workflows/readers.ts';
import { type Database, many } from '../../db/database.ts';
import { openDatabase } from '../../db/pool.ts';
import { claimLeaseById } from '../../engine/leases/claim-store.ts';
import { checkpointLeases, renewLeases } from '../../engine/leases/cursor-store.ts';
import { registerWorker } from '../../engine/workers/worker-store.ts';
import { WORKFLOW_CHANNEL } from '../../events/event-notifier.ts';
import { offsetKey, START_OFFSET } from '../../events/offset.ts';
import { openPartitioning } from './partitioning.ts';
import { minReaderOffset, type Partitioning, readersOf, readPartitioning } from './partitioning-store.ts';
import { rescale } from './scaling.ts';

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

const partitions = (total: number): Promise<Partitioning> =>
  openPartitioning(db, workflow, { mode: 'static', total });

async function offsets(): Promise<number[]> {
  return (await readersOf(db, workflow)).map(({ offset }) => Number(offset.xid));
}

const conflict = (message: RegExp, hint: RegExp) => ({
  kind: 'conflict',
  message: expect.stringMatching(message),
  hint: expect.stringMatching(hint),
});

describe('where new readers begin', () => {
  it('is the smallest offset when there become fewer: none that lags is lifted over what it has not read', async () => {
    await advance(db, await partitions(5), 10, 50, 3, 40, 20);
    const { changed, offset, layout } = await rescale(db, workflow, 5, 3);
    expect({ changed, offset }).toEqual({ changed: true, offset: offsetAt(3) });
    expect(await offsets()).toEqual([3, 3, 3]);
    expect(await readPartitioning(db, workflow)).toEqual(layout);
  });

  it('is the smallest offset when there become more, never the beginning of the log', async () => {
    await advance(db, await partitions(3), 700, 300, 500);
    await rescale(db, workflow, 3, 5);
    expect(await offsets()).toEqual([300, 300, 300, 300, 300]);
  });

  it('is the beginning only when one of the old readers still stands there', async () => {
    await advance(db, await partitions(3), 700, 300);
    expect(await rescale(db, workflow, 3, 2)).toMatchObject({ offset: START_OFFSET });
  });

  it('compares places as numbers, not as text', async () => {
    await advance(db, await partitions(2), 256, 65_535);
    expect(await rescale(db, workflow, 2, 1)).toMatchObject({ offset: offsetAt(256) });
  });

  it('is the same from partitions to slots and back', async () => {
    await advance(db, await partitions(2), 40, 60);
    const { layout } = await rescale(db, workflow, 2, 'slots');
    expect(await offsets()).toEqual(Array(256).fill(40));
    await db.query(
      `update range_lease set cursor = decode(lpad(to_hex(100 + id % 7), 16, '0') || lpad('1', 16, '0'), 'hex')
       where group_id = $1`,
      [layout.groupId],
    );
    await rescale(db, workflow, 'slots', 3);
    expect(await offsets()).toEqual([100, 100, 100]);
  });
});

describe('readers that are retired', () => {
  it('are not taken up again when their names come again: 3, 5, 3', async () => {
    await advance(db, await partitions(3), 10, 20, 30);
    const five = (await rescale(db, workflow, 3, 5)).layout;
    await advance(db, five, 200, 300, 400, 150, 600);
    const three = (await rescale(db, workflow, 5, 3)).layout;
    expect(await offsets()).toEqual([150, 150, 150]);
    expect(three).toMatchObject({ epoch: 3, total: 3 });
    expect(three.readers.map(({ name }) => name)).toContain(`${workflow}_runner_partition_0_of_3`);
  });

  it('do not hold back the log, and none of their leases is left to take', async () => {
    const three = await partitions(3);
    await advance(db, three, 10, 20, 30);
    const { layout } = await rescale(db, workflow, 3, 2);
    await advance(db, layout, 500, 600);
    expect(await minReaderOffset(db, workflow)).toEqual(offsetAt(500));
    const states = await many<{ state: string }>(
      db,
      `select distinct state from range_lease where group_id = ${three.groupId}`,
    );
    expect(states).toEqual([{ state: 'cancelled' }]);
    expect(await claimLeaseById(db, three.readers[0]!.lease, randomUUID(), 1000)).toBeNull();
  });

  it('stay as a record, with the time', async () => {
    await partitions(3);
    await rescale(db, workflow, 3, 2);
    const sql = `select epoch, count(*) as readers, count(retired_at) as retired from reader where workflow = $1
                 group by epoch order by epoch`;
    expect(await many(db, sql, [workflow])).toEqual([
      { epoch: 1, readers: 3, retired: 3 },
      { epoch: 2, readers: 2, retired: 0 },
    ]);
  });
});

describe('readers that are running', () => {
  it('are in the way: who they are is said, and what to do', async () => {
    const layout = await partitions(3);
    const runner = {
      id: randomUUID(),
      host: 'mill/1',
      pid: 4711,
      version: '1',
      threads: 0,
      concurrency: 0,
      role: 'workflows' as const,
      workflows: [],
    };
    await registerWorker(db, runner);
    for (const part of [1, 2]) await claimLeaseById(db, layout.readers[part]!.lease, runner.id, 60_000);
    const { fencingToken } = await holdPartition(db, layout, 0);
    const before = await allEvents(db, workflow);
    await expect(rescale(db, workflow, 3, 5)).rejects.toMatchObject(
      conflict(
        /read by runner [-0-9a-f]{36} \(\S+_0_of_3\); mill, pid 4711 \(\S+_1_of_3 and 1 more\)\.$/,
        new RegExp(`Stop them.*seine partitions scale --workflow ${workflow} --from 3 --to 5 --stop$`),
      ),
    );
    expect(await allEvents(db, workflow)).toEqual(before);
    expect(fencingToken).toBe(1);
  });

  it('are not in the way when they have expired, and then can write nothing more', async () => {
    const held = await holdPartition(db, await partitions(3), 0);
    await db.query(`update range_lease set expires_at = clock() - interval '1 ms' where id = $1`, [held.id]);
    expect(await rescale(db, workflow, 3, 5)).toMatchObject({ changed: true, stopped: [] });
    expect(await moveTo(db, held, offsetAt(99))).toBeNull();
  });

  it('are fenced when they are to be stopped: an idle one notices as well as a busy one', async () => {
    const layout = await partitions(3);
    const [idle, busy] = [await holdPartition(db, layout, 0), await holdPartition(db, layout, 1)];
    const { stopped } = await rescale(db, workflow, 3, 5, { running: 'stop' });
    expect(stopped.map(({ part }) => part)).toEqual([0, 1]);
    expect(await renewLeases(db, [idle], 60_000)).toEqual(new Set());
    expect(await moveTo(db, busy, offsetAt(99))).toBeNull();
    expect(await offsets()).toEqual([0, 0, 0, 0, 0]);
  });

  it('are notified at once', async () => {
    await partitions(3);
    const subscribers = Promise.withResolvers<string>();
    const stop = await other.listen(WORKFLOW_CHANNEL, subscribers.resolve);
    await rescale(db, workflow, 3, 5);
    expect(await subscribers.promise).toBe(`layout ${workflow}`);
    await stop();
  });

  it('count with what they have written last, if that is still on its way', async () => {
    const layout = await partitions(2);
    await advance(db, layout, 10, 90);
    const held = await holdPartition(db, layout, 0);
    let scaling: ReturnType<typeof rescale> | undefined;
    const late = faultyDatabase(other, async (statement) => {
      if (statement === 1) return;
      scaling = rescale(db, workflow, 2, 3, { running: 'stop' });
      await hasLockWaiter(db);
    });
    const moving = late.tx(async (tx) => {
      const moved = await checkpointLeases(tx, [{ held, cursor: offsetKey(offsetAt(50)) }], 60_000);
      await tx.query('select 1');
      return moved;
    });
    expect(await moving).toHaveLength(1);
    expect(await scaling).toMatchObject({ offset: offsetAt(50) });
  });

  it("can't move any more once the change has started", async () => {
    const layout = await partitions(2);
    await advance(db, layout, 10, 90);
    const held = await holdPartition(db, layout, 0);
    let moving: Promise<unknown> | undefined;
    const slow = faultyDatabase(other, async (statement) => {
      if (statement !== 4) return; // the offsets are known, nothing is written yet
      moving = moveTo(db, held, offsetAt(50));
      await hasLockWaiter(db);
    });
    expect(await rescale(slow, workflow, 2, 3, { running: 'stop' })).toMatchObject({ offset: offsetAt(10) });
    expect(await moving).toBeNull();
  });
});

describe('an attempt', () => {
  it('that was refused can be made again', async () => {
    const held = await holdPartition(db, await partitions(3), 0);
    await expect(rescale(db, workflow, 3, 5)).rejects.toMatchObject({ kind: 'conflict' });
    await expect(rescale(db, workflow, 3, 5)).rejects.toMatchObject({ kind: 'conflict' });
    await db.query(`update range_lease set state = 'waiting', holder = null where id = $1`, [held.id]);
    expect(await rescale(db, workflow, 3, 5)).toMatchObject({ changed: true });
  });

  it('that is made twice changes something once, and says so', async () => {
    await advance(db, await partitions(3), 10, 20, 30);
    const first = await rescale(db, workflow, 3, 5);
    await advance(db, first.layout, 70, 80, 90, 60, 50);
    const again = await rescale(db, workflow, 3, 5);
    expect(again).toEqual({ changed: false, layout: first.layout, offset: offsetAt(50), stopped: [] });
  });

  it('repeated does not disturb readers of the new partitioning', async () => {
    await partitions(3);
    const held = await holdPartition(db, (await rescale(db, workflow, 3, 5)).layout, 4);
    await rescale(db, workflow, 3, 5, { running: 'stop' });
    expect(await moveTo(db, held, offsetAt(9))).not.toBeNull();
  });

  it('of several at the same moment is made once', async () => {
    await partitions(3);
    const tries = Array.from({ length: 6 }, (_, n) => rescale(n % 2 ? db : other, workflow, 3, 5));
    const done = await Promise.all(tries);
    expect(done.filter(({ changed }) => changed)).toHaveLength(1);
    expect(new Set(done.map(({ layout }) => layout.epoch))).toEqual(new Set([2]));
    expect(await readersOf(db, workflow)).toHaveLength(5);
  });

  it('from a layout that there is no longer is refused, with the command that fits', async () => {
    await partitions(3);
    const [up, down] = await Promise.allSettled([
      rescale(db, workflow, 3, 5),
      rescale(other, workflow, 3, 2),
    ]);
    const [lost, now, wish] = up.status === 'rejected' ? [up, 2, 5] : [down, 5, 2];
    expect((lost as PromiseRejectedResult).reason).toMatchObject(
      conflict(
        new RegExp(`partitioned into ${now} partitions, not into 3 partitions`),
        new RegExp(`scale --workflow ${workflow} --from ${now} --to ${wish}$`),
      ),
    );
  });

  it('fails for a workflow that has never been read', async () => {
    await expect(rescale(db, workflow, 3, 5)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('with numbers that make no sense is refused', async () => {
    await partitions(3);
    await expect(rescale(db, workflow, 3, 0)).rejects.toMatchObject({ kind: 'usage' });
    await expect(rescale(db, workflow, 3, 2.5)).rejects.toMatchObject({ kind: 'usage' });
  });
});

describe('a crash', () => {
  const throwing = async () => {
    throw new Error('gone');
  };
  const ways = {
    'the statement fails': throwing,
    'the connection dies': async (connection: { query(sql: string): Promise<unknown> }) => {
      await connection.query('select pg_terminate_backend(pg_backend_pid())');
    },
  };

  it.each(Object.entries(ways))(
    'at any statement (%s) leaves everything as it was, and a repetition succeeds',
    async (_, strike) => {
      for (let n = 1, struck = true; struck; n++) {
        workflow = `crash${tests++}`;
        const layout = await partitions(3);
        await advance(db, layout, 30, 10, 20);
        const held = await holdPartition(db, layout, 0);
        const before = await allEvents(db, workflow);
        struck = await strikeAt(n, strike);
        if (!struck) expect(n).toBeGreaterThan(10); // it was struck at all of them
        if (struck) {
          expect(await allEvents(db, workflow)).toEqual(before);
          expect(await moveTo(db, held, offsetAt(40))).not.toBeNull();
          expect(await rescale(db, workflow, 3, 5, { running: 'stop' })).toMatchObject({ changed: true });
        }
        expect(await offsets()).toEqual([10, 10, 10, 10, 10]);
      }
      expect(await orphanedLeases(db)).toBe(0);
    },
  );

  /** Whether the attempt came so far as the n-th statement, and failed of it. */
  async function strikeAt(
    n: number,
    strike: (connection: { query(sql: string): Promise<unknown> }) => Promise<void>,
  ): Promise<boolean> {
    let struck = false;
    const failing = faultyDatabase(other, async (statement, connection) => {
      if (statement !== n) return;
      struck = true;
      await strike(connection);
    });
    const attempt = rescale(failing, workflow, 3, 5, { running: 'stop' });
    await attempt.catch((error: unknown) => {
      if (!struck) throw error;
    });
    return struck;
  }

  it('after the end, when only the answer was lost, is no trouble: the repetition finds it done', async () => {
    await advance(db, await partitions(3), 30, 10, 20);
    const deaf: Database = { ...db, tx: (work) => db.tx(work).then(throwing) };
    await expect(rescale(deaf, workflow, 3, 5)).rejects.toThrow('gone');
    expect(await rescale(db, workflow, 3, 5)).toMatchObject({ changed: false, offset: offsetAt(10) });
    expect(await readersOf(db, workflow)).toHaveLength(5);
  });
});
