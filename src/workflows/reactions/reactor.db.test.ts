import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, hasLockWaiter } from '../../../test/support/database.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { type Database, many, one } from '../../db/database.ts';
import { appendToOpen } from '../commands/append-to-open.ts';
import { handleCommands } from '../commands/handle.ts';
import { after as wait } from '../effects.ts';
import { PartitionAssignment, PartitionLost } from '../partitions/partition-assignment.ts';
import { readersOf } from '../partitions/partitioning-store.ts';
import { type ErrandOptions, errand } from '../runner/errand.fixture.ts';
import { loadAt } from '../state/load.ts';
import { Reactor } from './reactor.ts';

let db: Database & { url: string };
let name = '';
let tests = 0;
let seen: [string, number][] = [];
beforeAll(async () => {
  db = await freshDatabase(6);
});
afterAll(() => db.close());
beforeEach(() => {
  name = `errand${tests++}`;
  seen = [];
});

const tenant = 'default';

/** A runner stepped by the test. */
function stepRunner(
  options: ErrandOptions & {
    ttlMs?: number;
    partition?: { index: number; total: number };
    budgetMs?: number;
  } = {},
) {
  const { partition = null, ttlMs = 60_000, budgetMs = 1000, reacting } = options;
  const workflow = errand({
    ...options,
    name,
    reacting: (event, id, version) => {
      reacting?.(event, id, version);
      seen.push([id, version]);
    },
  });
  const assignment = new PartitionAssignment(db, {
    workflow: name,
    version: 1,
    holder: randomUUID(),
    ttlMs,
    partition,
  });
  const parked: string[] = [];
  const onParked = (id: string) => parked.push(id);
  const limits = { maxEvents: 1000, parkAfter: 3, maxStates: 100, budgetMs };
  const reactor = new Reactor(db, workflow, assignment, { ...limits, onParked });
  return { workflow, assignment, reactor, parked };
}

async function run(
  workflow: ReturnType<typeof stepRunner>['workflow'],
  id: string,
  ...numbers: number[]
): Promise<void> {
  const commands = numbers.map((n) => ({ tenant, id, command: { type: 'run', n } as never }));
  await handleCommands(db, workflow, commands);
  await settledLog(db);
}

async function progressOf(id: string): Promise<unknown> {
  return one(
    db,
    `select reaction.version, attempts, retry_at is not null as waits, parked_at is not null as parked
     from reaction join workflow on key = workflow_key where name = $1 and id = $2`,
    [name, id],
  );
}

const actions = () => many(db, 'select version from action where workflow = $1 order by id', [name]);

describe('a round of reactions', () => {
  it('writes what they ask for, how far the workflow is and where the part stands, together', async () => {
    const { workflow, assignment, reactor } = stepRunner();
    await run(workflow, 'a', 1, 2);
    await assignment.sync();
    expect(await reactor.round()).toMatchObject({ events: 2, written: { actions: 2 } });
    expect(await reactor.round()).toMatchObject({ events: 0 });
    expect(await progressOf('a')).toMatchObject({ version: 2 });
    const moved = (await readersOf(db, name)).filter(({ offset }) => offset.xid > 0n);
    expect(moved).toHaveLength(1);
  });

  it('writes nothing when its part was taken over, not even one action', async () => {
    const zombie = stepRunner({ ttlMs: 1 });
    await run(zombie.workflow, 'a', 1);
    await zombie.assignment.sync();
    const successor = stepRunner();
    await successor.assignment.sync();
    await expect(zombie.reactor.round()).rejects.toThrow(PartitionLost);
    expect(await actions()).toEqual([]);
    await zombie.assignment.reread();
    expect(zombie.assignment.partitionOffsets).toEqual([]);
    await successor.reactor.round();
    expect(await actions()).toHaveLength(1);
  });

  it('finds out where it stands when the answer to a commit was lost', async () => {
    const { workflow, assignment, reactor } = stepRunner();
    await run(workflow, 'a', 1);
    await assignment.sync();
    const before = assignment.partitionOffsets;
    await reactor.round();
    // As if the answer had not come: it still believes in the places before.
    const forgetful = new PartitionAssignment(db, {
      workflow: name,
      version: 1,
      holder: randomUUID(),
      ttlMs: 60_000,
      partition: null,
    });
    expect(before.some(({ offset }) => offset.xid > 0n)).toBe(false);
    await forgetful.sync();
    await assignment.reread();
    expect(assignment.partitionOffsets.filter(({ offset }) => offset.xid > 0n)).toHaveLength(1);
    expect(await reactor.round()).toMatchObject({ events: 0 });
    expect(await actions()).toHaveLength(1);
  });

  it('passes over what was reacted to when its part goes back', async () => {
    const { workflow, assignment, reactor } = stepRunner();
    await run(workflow, 'a', 1, 2, 3);
    await assignment.sync();
    await reactor.round();
    await db.query(
      `update range_lease as lease set cursor = '' from reader where reader.lease_id = lease.id and reader.workflow = $1`,
      [name],
    );
    await assignment.reread();
    await reactor.round();
    expect(seen).toEqual([
      ['a', 1],
      ['a', 2],
      ['a', 3],
    ]);
    expect(await actions()).toHaveLength(3);
  });

  it('skips a paused workflow, and continues from there when it is resumed', async () => {
    const { workflow, assignment, reactor } = stepRunner();
    await run(workflow, 'a', 1);
    await db.query(`update workflow set status = 'paused' where name = $1`, [name]);
    await assignment.sync();
    await reactor.round();
    expect(seen).toEqual([]);
    await db.query(`update workflow set status = 'running' where name = $1`, [name]);
    await run(workflow, 'a', 2);
    await reactor.round();
    expect(seen).toEqual([
      ['a', 1],
      ['a', 2],
    ]);
  });

  it('processes a long delayed history in pages, to its end', async () => {
    let ill = true;
    const { workflow, assignment, reactor } = stepRunner({
      reacting: () => {
        if (ill) throw new Error('not yet');
      },
    });
    await run(workflow, 'a', ...Array.from({ length: 2500 }, (_, n) => n));
    await assignment.sync();
    await reactor.round();
    await db.query(`update reaction set retry_at = clock() + interval '1 hour'`);
    await repeatWhile('reactions', async () => (await reactor.round()).events > 0);
    expect(await progressOf('a')).toMatchObject({ version: 0, attempts: 1, waits: true });
    ill = false;
    await db.query('update reaction set retry_at = clock()');
    let rounds = 0;
    rounds = await repeatWhile('reactions', async () => (await reactor.round()).events > 0);
    expect(rounds).toBe(3);
    expect(seen.map(([, version]) => version)).toEqual(Array.from({ length: 2500 }, (_, n) => n + 1));
    expect(await progressOf('a')).toEqual({ version: 2500, attempts: 0, waits: false, parked: false });
  });

  it.each([
    ['a full page of events that were put off', 1000],
    ['a resume without new events', 1],
  ])('leaves nothing due after %s', async (_, events) => {
    let ill = events > 1;
    const { workflow, assignment, reactor } = stepRunner({
      reacting: () => {
        if (ill) throw new Error('not yet');
      },
    });
    await run(workflow, 'a', ...Array.from({ length: events }, (_, n) => n));
    await assignment.sync();
    await reactor.round();
    ill = false;
    await db.query('update reaction set retry_at = clock()'); // as a resume does
    await reactor.round();
    await reactor.round();
    expect(await progressOf('a')).toEqual({ version: events, attempts: 0, waits: false, parked: false });
  });

  it('takes snapshots, so that a workflow whose events come from actions alone is not folded from its beginning', async () => {
    const { assignment, reactor, workflow } = stepRunner();
    await run(workflow, 'a', 1);
    const { key } = await one<{ key: number }>(db, 'select key from workflow where name = $1', [name]);
    const done = { type: 'work.done', schema: 1, data: { result: 1 } };
    const facts = Array.from({ length: 249 }, () => ({ key, event: done }));
    await db.tx((tx) => appendToOpen(tx, facts));
    await settledLog(db);
    await assignment.sync();
    await repeatWhile('reactions', async () => (await reactor.round()).events > 0);
    const snapshots = await many<{ version: number; state: unknown }>(
      db,
      'select version, state from snapshot where workflow_key = $1 order by version',
      [key],
    );
    expect(snapshots.at(-1)).toEqual({ version: 200, state: { asked: [1], done: 199, failed: 0 } });
    const loaded = (await loadAt(db, workflow, [{ key, id: 'long', version: 250 }])).get(key);
    expect(loaded?.folded).toEqual({ version: 250, state: { asked: [1], done: 249, failed: 0 } });
  });

  it('ends when its time is over; what is left is not passed, and comes in the next rounds, also of another runner', async () => {
    const partition = { index: 0, total: 1 };
    const slow = stepRunner({ budgetMs: 0, partition });
    const ids = ['a', 'b', 'c', 'd'];
    for (const n of [1, 2]) for (const id of ids) await run(slow.workflow, id, n);
    await slow.assignment.sync();
    expect(await slow.reactor.round()).toMatchObject({ events: 1 });
    expect(await slow.reactor.round()).toMatchObject({ events: 1 });
    await slow.assignment.releaseAll();
    const next = stepRunner({ budgetMs: 0, partition });
    await next.assignment.sync();
    await repeatWhile('reactions', async () => (await next.reactor.round()).events > 0);
    for (const id of ids)
      expect(seen.filter(([of]) => of === id)).toEqual([
        [id, 1],
        [id, 2],
      ]);
    expect(await actions()).toHaveLength(8);
  });

  it('keeps nothing of a state that a failed reaction was given', async () => {
    let sick = 2;
    const states: unknown[] = [];
    const { workflow, assignment, reactor } = stepRunner({
      more: (_, state) => {
        states.push(structuredClone(state));
        if (sick-- > 0) throw new Error('not yet');
        return [];
      },
    });
    await run(workflow, 'a', 1);
    await assignment.sync();
    for (let tries = 0; tries < 3; tries++) {
      await reactor.round();
      await db.query('update reaction set retry_at = clock() where retry_at is not null');
    }
    const state = { asked: [1], done: 0, failed: 0 };
    expect(states).toEqual([state, state, state]);
  });

  it('parks what ends the process each time, without trying it once more', async () => {
    const { workflow, assignment, reactor, parked } = stepRunner();
    await run(workflow, 'killer', 1);
    await run(workflow, 'other', 1);
    await assignment.sync();
    // Three processes have died while they held it, each after the attempt was noted.
    await db.query(
      `update range_lease as lease set claims_since_progress = 4 from reader where reader.lease_id = lease.id and reader.workflow = $1`,
      [name],
    );
    await db.query(
      `insert into reaction (workflow_key, version, attempts) select key, 0, 3 from workflow where name = $1 and id = 'killer'`,
      [name],
    );
    await assignment.reread();
    await repeatWhile('reactions', async () => (await reactor.round()).events > 0);
    expect(parked).toEqual(['killer']);
    expect(seen).toEqual([['other', 1]]);
    expect(await progressOf('killer')).toMatchObject({ version: 0, parked: true });
  });

  it('ends a workflow whose timer is just being delivered, without a deadlock', async () => {
    const { workflow, assignment, reactor } = stepRunner({
      more: (event) => (event.type === 'asked' ? [wait({ hours: 1 }, { type: 'end' })] : []),
    });
    await run(workflow, 'a', 1);
    await assignment.sync();
    await reactor.round();
    await handleCommands(db, workflow, [{ tenant, id: 'a', command: { type: 'end' } as never }]);
    await settledLog(db);
    let round: Promise<unknown> | null = null;
    await db.tx(async (delivering) => {
      await delivering.query('select from message where workflow = $1 for update', [name]);
      round = reactor.round();
      await hasLockWaiter(db);
      await delivering.query('select from workflow where name = $1 for no key update', [name]);
    });
    await round;
    expect(await many(db, 'select status from workflow where name = $1', [name])).toEqual([
      { status: 'completed' },
    ]);
    expect(await many(db, 'select from message where workflow = $1', [name])).toEqual([]);
  });

  it('is not the last one while events around a rejected one are left', async () => {
    const budgetMs = 100;
    const { workflow, assignment, reactor } = stepRunner({
      budgetMs,
      reacting: () => {
        const until = performance.now() + (seen.length < 3 ? 0 : 2 * budgetMs); // together in time, one by one not
        while (performance.now() < until);
      },
    });
    await run(workflow, 'a', 1, 2, 3);
    await assignment.sync();
    await db.query(
      `alter table action add constraint odd check (workflow <> '${name}' or input::text not like '%3%')`,
    );
    try {
      expect(await reactor.round()).toMatchObject({ events: 1, isDrained: false });
      expect(await progressOf('a')).toMatchObject({ version: 1, waits: true });
    } finally {
      await db.query('alter table action drop constraint odd');
    }
  });

  it('lets a quiet part pass what is not its own, so that it keeps nothing', async () => {
    const { workflow, assignment, reactor } = stepRunner();
    await run(workflow, 'a', 1);
    await assignment.sync();
    await reactor.round();
    await reactor.advanceIdle();
    const last = await one<{ xid: string }>(db, 'select max(xid) as xid from event where workflow = $1', [
      name,
    ]);
    expect((await readersOf(db, name)).every(({ offset }) => offset.xid >= BigInt(last.xid))).toBe(true);
    await run(workflow, 'b', 2);
    await reactor.round();
    expect(seen.at(-1)).toEqual(['b', 1]);
  });
});

describe('a static partition', () => {
  it('is held by one, the second stands by, and takes over when the first is gone', async () => {
    const partition = { index: 0, total: 1 };
    const first = stepRunner({ partition });
    const second = stepRunner({ partition });
    await run(first.workflow, 'a', 1);
    await first.assignment.sync();
    await second.assignment.sync();
    expect([first.assignment.partitionOffsets.length, second.assignment.partitionOffsets.length]).toEqual([
      1, 0,
    ]);
    await first.reactor.round();
    await first.assignment.releaseAll();
    await second.assignment.sync();
    await run(first.workflow, 'a', 2);
    await second.reactor.round();
    expect(seen).toEqual([
      ['a', 1],
      ['a', 2],
    ]);
  });

  it('refuses to run beside slots, and says what to do', async () => {
    await stepRunner().assignment.sync();
    const odd = stepRunner({ partition: { index: 0, total: 3 } });
    await expect(odd.assignment.sync()).rejects.toMatchObject({
      kind: 'conflict',
      retry: false,
      hint: expect.stringContaining('seine partitions scale'),
    });
  });
});
