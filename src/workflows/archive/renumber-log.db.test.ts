import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { type Database, many } from '../../db/database.ts';
import { readLastStableOffset, readPartition, readSlots } from '../../events/read-store.ts';
import { handleCommands } from '../commands/handle.ts';
import { defineProjection } from '../projections/projection.ts';
import { haveLag } from '../projections/projection-store.ts';
import { partitionStatus } from '../queries/partition-status.ts';
import { readRemainingWork } from '../queries/partition-store.ts';
import { errand } from '../runner/errand.fixture.ts';
import { startRunner } from '../runner/runner.ts';
import { assertOwnLog, renumberLog } from './renumber-log.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

const seen: string[] = [];
const workflow = errand({
  name: 'moved',
  reacting: ({ type }, id, version) => void seen.push(`${id}${version} ${type}`),
});
const run = (id: string, n: number) => ({ tenant: 'default', id, command: { type: 'run', n } as never });

async function runUntilIdle(): Promise<void> {
  const runner = await startRunner(db, { workflows: [workflow], leaseMs: 60_000, pollMs: 20 });
  await waitUntil(
    'all work of the workflows',
    async () => !Object.values(await readRemainingWork(db, ['moved'], null)).some(Boolean),
  );
  await runner.stop(0);
}

/** As if a dump of a cluster that has had many more transactions was restored here. */
async function comeFromAfar(): Promise<void> {
  await db.query(`update event set xid = (xid::text::bigint + 1000000000)::text::xid8`);
  await db.query(
    `update range_lease set cursor = decode(lpad(to_hex(('x' || encode(substr(cursor, 1, 8), 'hex'))::bit(64)::bigint + 1000000000), 16, '0'), 'hex')
                               || substr(cursor, 9)
     where cursor <> ''`,
  );
}

it('a log that this cluster wrote itself is left alone', async () => {
  await handleCommands(db, workflow, [run('a', 1), run('b', 1)]);
  await runUntilIdle();
  await assertOwnLog(db, ['moved']);
  expect(await renumberLog(db)).toEqual({ changed: false, events: 0, readers: 0 });
});

it('a log of another cluster is refused, rebased once, and then each event is reacted to once', async () => {
  await handleCommands(db, workflow, [run('a', 2), run('c', 1)]);
  await comeFromAfar();
  await handleCommands(db, workflow, [run('b', 2)]); // a client did not wait
  await expect(assertOwnLog(db, ['moved'])).rejects.toThrow('another database cluster');
  expect(await renumberLog(db)).toMatchObject({ changed: true, readers: 256 });
  await assertOwnLog(db, ['moved']);
  expect((await renumberLog(db)).changed).toBe(false);
  await handleCommands(db, workflow, [run('c', 2)]);
  await runUntilIdle();
  expect(seen.length).toBe(new Set(seen).size);
  expect(seen.filter((one) => one.endsWith('asked')).sort()).toEqual([
    'a1 asked',
    'a3 asked',
    'b1 asked',
    'b3 asked',
    'c1 asked',
    'c2 asked',
  ]);
  const actions = await many<{ state: string }>(db, 'select state from action');
  expect(actions.map(({ state }) => state)).toEqual(Array(6).fill('done'));
});

it('a projection of a log that was renumbered applies each event once', async () => {
  const numbers: unknown[] = [];
  const projection = defineProjection({
    name: 'asked',
    from: [{ workflow, types: ['asked'] }],
    init: () => {},
    reset: () => {},
    apply: (_, { id, version }) => numbers.push(`${id}${version}`),
  });
  const runner = await startRunner(db, { workflows: [workflow], projections: [projection], pollMs: 20 });
  await expect.poll(() => haveLag(db, ['asked'])).toBe(false);
  const before = numbers.toSorted();
  await runner.stop(0);
  await comeFromAfar();
  await handleCommands(db, workflow, [run('late', 1)]);
  expect(await renumberLog(db)).toMatchObject({ changed: true, readers: 257 });
  const next = await startRunner(db, { workflows: [workflow], projections: [projection], pollMs: 20 });
  await expect.poll(() => haveLag(db, ['asked'])).toBe(false);
  await next.stop(0);
  expect(numbers.toSorted()).toEqual([...before, 'late1'].sort());
});

it('is rejected while a runner reads', async () => {
  await comeFromAfar();
  await db.query(
    `update range_lease as lease set state = 'held', holder = gen_random_uuid(), expires_at = clock() + interval '1 minute'
     from reader where lease_id = lease.id and part = 3`,
  );
  await expect(renumberLog(db)).rejects.toThrow('The log is being read by an unknown host (moved).');
  await db.query(
    `update range_lease set state = 'waiting', holder = null, expires_at = null where state = 'held'`,
  );
});

it('new positions are above the highest restored one', async () => {
  await db.query(`update event set position = position + 100000`);
  await renumberLog(db);
  await handleCommands(db, workflow, [run('d', 1)]);
  const [last] = await many<{ position: number; id: string }>(
    db,
    'select position, id from event join workflow on key = workflow_key order by xid desc, position desc limit 1',
  );
  expect(last!.id).toBe('d');
  expect(last!.position).toBeGreaterThan(100_000);
  const { workflows } = await partitionStatus(db, 'moved');
  expect(workflows[0]).toMatchObject({
    workflow: 'moved',
    mode: 'slots',
    total: 256,
    lag: expect.any(Number),
  });
});

describe('a dump that was loaded when the numbers of transactions were no longer ahead', () => {
  /** As pg_restore does it: the rows come again, written by a transaction of this cluster. */
  const reload = (cluster: 'the same cluster' | 'another cluster' | 'a cluster that may not be asked') =>
    db.tx(async (tx) => {
      await tx.query('create temp table dumped on commit drop as table log_origin');
      if (cluster !== 'the same cluster')
        await tx.query('update dumped set cluster = $1', [cluster === 'another cluster' ? '1' : null]);
      await tx.query('delete from log_origin');
      await tx.query('insert into log_origin select * from dumped');
    });

  it.each(['another cluster', 'a cluster that may not be asked'] as const)(
    'of %s: nothing is appended or read until it was rebased, and then nothing is lost',
    async (cluster) => {
      await runUntilIdle();
      const before = seen.length;
      await handleCommands(db, workflow, [run('e', 1)]); // not read when the dump was made
      await reload(cluster);
      await expect(handleCommands(db, workflow, [run('e', 2)])).rejects.toMatchObject({
        kind: 'conflict',
        retry: false,
        message: 'The event log was written by another database cluster than this one.',
        hint: expect.stringContaining('seine partitions repair-log'),
      });
      const [place] = await many<{ part: number }>(
        db,
        `select part from reader_offset where workflow = 'moved' limit 1`,
      );
      const positions = [{ part: place!.part, offset: { xid: 0n, position: 0n } }];
      await expect(readSlots(db, 'moved', positions, { each: 10, max: 10 })).rejects.toThrow(
        'another database cluster',
      );
      await expect(readPartition(db, 'moved', positions[0]!, 4, 10)).rejects.toThrow(
        'another database cluster',
      );
      await expect(readLastStableOffset(db)).rejects.toThrow('another database cluster');
      await expect(startRunner(db, { workflows: [workflow] })).rejects.toThrow('another database cluster');
      expect(await renumberLog(db)).toMatchObject({ changed: true });
      expect(await renumberLog(db)).toMatchObject({ changed: false });
      await handleCommands(db, workflow, [run('e', 2)]);
      await runUntilIdle();
      expect(seen.slice(before).filter((one) => one.endsWith('asked'))).toHaveLength(2);
    },
  );

  it('of the same cluster: its numbers are right', async () => {
    await reload('the same cluster');
    await assertOwnLog(db, ['moved']);
    await handleCommands(db, workflow, [run('f', 1)]);
    expect((await renumberLog(db)).changed).toBe(false);
  });

  it('a runner that is at work notices it too, and ends', async () => {
    await runUntilIdle(); // a result that the log rejects would be delayed for a minute
    const runner = await startRunner(db, { workflows: [workflow], pollMs: 20 });
    await reload('another cluster');
    await expect(runner.broken).rejects.toThrow('another database cluster');
    await runner.stop(0);
    await db.query(
      `update range_lease set state = 'waiting', holder = null, expires_at = null where state = 'held'`,
    );
    await renumberLog(db);
  });
});

it('a new cluster that has not caught up loses no event silently', async () => {
  await handleCommands(db, workflow, [run('g', 1)]);
  await runUntilIdle();
  // The old cluster had had more transactions than this one has now; its readers stand there.
  const ahead = 2000;
  await db.query(
    `update range_lease set cursor = decode(lpad(to_hex(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + $1), 16, '0'), 'hex')
                               || substr(cursor, 9)
     where cursor <> ''`,
    [ahead],
  );
  await db.query('update log_origin set cluster = 1');
  const sent = await handleCommands(db, workflow, [run('g', 2)]).then(
    () => true,
    () => false,
  );
  await db.query(
    `do $$ begin for i in 1..${ahead + 100} loop perform pg_current_xact_id(), set_config('synchronous_commit', 'off', true); commit; end loop; end $$`,
  );
  await renumberLog(db);
  await runUntilIdle();
  const behind = await many(
    db,
    `select id from workflow left join reaction on workflow_key = key where workflow.version > coalesce(reaction.version, 0)`,
  );
  expect(behind).toEqual([]);
  expect(sent).toBe(false);
});
