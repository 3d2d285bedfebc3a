/** What a runner must not write after a takeover, and what it must detect when it holds nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { faultyDatabase } from '../../../test/support/faulty-database.ts';
import { repeatWhile, waitUntil } from '../../../test/support/wait-for.ts';
import { type Database, many, one } from '../../db/database.ts';
import { readLastStableOffset } from '../../events/read-store.ts';
import { handleCommands } from '../commands/handle.ts';
import { cancelWorkflow } from '../control/control.ts';
import type { Partition } from '../partitions/partition.ts';
import { PartitionAssignment, PartitionLost } from '../partitions/partition-assignment.ts';
import { rescale } from '../partitions/scaling.ts';
import { Reactor } from '../reactions/reactor.ts';
import { type ErrandOptions, errand } from './errand.fixture.ts';

let db: Database & { url: string };
let name = '';
let tests = 0;
beforeAll(async () => {
  db = await freshDatabase(6);
});
afterAll(() => db.close());
beforeEach(() => {
  name = `takeover${tests++}`;
});

const tenant = 'default';

function stepRunner(options: ErrandOptions & { on?: Database; partition?: Partition } = {}) {
  const { on = db, partition = null } = options;
  const workflow = errand({ ...options, name });
  const assignment = new PartitionAssignment(on, {
    workflow: name,
    version: 1,
    holder: randomUUID(),
    ttlMs: 60_000,
    partition,
  });
  const reactor = new Reactor(on, workflow, assignment, {
    maxEvents: 1000,
    parkAfter: 3,
    maxStates: 100,
    onParked: () => {},
  });
  return { workflow, assignment, reactor };
}

async function run(id: string, ...numbers: number[]): Promise<void> {
  const commands = numbers.map((n) => ({ tenant, id, command: { type: 'run', n } as never }));
  await handleCommands(db, errand({ name }), commands);
  await settled();
}

/** What has been committed can be read. */
async function settled(): Promise<void> {
  const { xid } = await one<{ xid: string }>(db, 'select max(xid) as xid from event');
  await waitUntil(
    'every event to be readable',
    async () => (await readLastStableOffset(db)).xid >= BigInt(xid),
  );
}

const expire = () =>
  db.query(`update range_lease set expires_at = clock() - interval '1 second' where state = 'held'`);
const dueNow = () => db.query('update reaction set retry_at = clock() where retry_at is not null');
const versions = async () =>
  (
    await many<{ version: number }>(db, 'select version from action where workflow = $1 order by id', [name])
  ).map(({ version }) => version);
const standing = () =>
  one(
    db,
    `select reaction.version, retry_at is not null as waits from reaction join workflow on key = workflow_key where name = $1`,
    [name],
  );

describe('a workflow that comes again', () => {
  /** Reads in peace; before it writes, another takes over its part, and an event is added, which that one passes by. */
  async function overtaken(isStillIll: boolean) {
    let ill = true;
    const reacting = () => {
      if (ill) throw new Error('not yet');
    };
    const successor = stepRunner({ reacting });
    let armed = false;
    const zombie = stepRunner({
      reacting,
      on: faultyDatabase(db, async (_, connection) => {
        if (!armed || !('transaction' in connection)) return;
        armed = false;
        await expire();
        await successor.assignment.sync();
        await run('a', 2);
        await db.query(`update reaction set retry_at = clock() + interval '1 hour'`);
        await successor.reactor.round();
      }),
    });
    await run('a', 1);
    await zombie.assignment.sync();
    await zombie.reactor.round();
    await dueNow();
    ill = isStillIll;
    armed = true;
    await expect(zombie.reactor.round()).rejects.toThrow(PartitionLost);
    expect(await standing()).toEqual({ version: 0, waits: true });
    ill = false;
    await dueNow();
    await successor.reactor.round();
    return successor;
  }

  it('is not moved on by who has lost its part: the heir counts on its coming again', async () => {
    await overtaken(false);
    expect(await versions()).toEqual([1, 2]);
    expect(await standing()).toEqual({ version: 2, waits: false });
  });

  it('is not delayed by a runner that has lost its partition', async () => {
    await overtaken(true);
    expect(await versions()).toEqual([1, 2]);
  });
});

describe('a workflow that has ended', () => {
  it('asks for no more actions, whatever happened to it meanwhile', async () => {
    const { assignment, reactor } = stepRunner();
    await assignment.sync();
    await run('a', 1);
    await cancelWorkflow(db, { tenant, workflow: name, id: 'a' });
    await settled();
    await repeatWhile('reactions', async () => (await reactor.round()).events > 0);
    expect(await standing()).toEqual({ version: 2, waits: false });
    expect(await versions()).toEqual([]);
  });

  it('is reacted to until its end although it was delayed before: its events may have subscribers', async () => {
    let ill = true;
    const { assignment, reactor } = stepRunner({
      reacting: () => {
        if (ill) throw new Error('not yet');
      },
    });
    await assignment.sync();
    await run('a', 1);
    await reactor.round();
    await cancelWorkflow(db, { tenant, workflow: name, id: 'a' });
    ill = false;
    await dueNow();
    await reactor.round();
    expect(await standing()).toEqual({ version: 2, waits: false });
  });
});

describe('an event that ends its process', () => {
  /** Lives until it reacts to that event; true if it died. */
  async function live(deadly: number): Promise<boolean> {
    let dead = false;
    const { assignment, reactor } = stepRunner({
      reacting: (_, id, version) => {
        dead ||= id === 'a' && version === deadly;
      },
      on: faultyDatabase(db, async () => {
        if (dead) throw new Error('The process is gone.');
      }),
    });
    await expire();
    await assignment.sync();
    try {
      await repeatWhile('reactions', async () => (await reactor.round()).events > 0);
    } catch (error) {
      if (!dead) throw error;
    }
    return dead;
  }

  it('is blamed itself, not the first of those that were read with it; what came before is done', async () => {
    await run('a', 1, 2, 3, 4);
    let deaths = 0;
    deaths = await repeatWhile('deaths', () => live(3));
    expect(deaths).toBeLessThan(12);
    expect(await versions()).toEqual([1, 2]);
    expect(
      await one(
        db,
        'select reaction.version, error from reaction join workflow on key = workflow_key where name = $1',
        [name],
      ),
    ).toMatchObject({ version: 2, error: expect.stringContaining('event 3 (asked)') });
  });
});

describe('a runner that holds nothing', () => {
  it('notices that its partition is one of another layout now', async () => {
    const partition = { index: 0, total: 1 };
    const [holder, spare] = [stepRunner({ partition }), stepRunner({ partition })];
    await holder.assignment.sync();
    await spare.assignment.sync();
    await rescale(db, name, 1, 2, { running: 'stop' });
    await expect(spare.assignment.sync()).rejects.toMatchObject({ kind: 'conflict', retry: false });
  });

  it('takes its share of new slots after the layout was changed and changed back', async () => {
    const [holder, spare] = [stepRunner(), stepRunner()];
    await holder.assignment.sync();
    await spare.assignment.sync();
    expect(spare.assignment.partitionOffsets).toEqual([]);
    await rescale(db, name, 'slots', 2, { running: 'stop' });
    await rescale(db, name, 2, 'slots', { running: 'stop' });
    await spare.assignment.sync();
    expect(spare.assignment.partitionOffsets).toHaveLength(256);
  });
});
