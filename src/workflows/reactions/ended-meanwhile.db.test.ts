import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, hasLockWaiter } from '../../../test/support/database.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { type Database, many, one } from '../../db/database.ts';
import { startChild } from '../children/child.ts';
import { handleCommands } from '../commands/handle.ts';
import { cancelWorkflow, pauseWorkflow } from '../control/control.ts';
import { defineWorkflow } from '../define.ts';
import { act, after, complete, subscribe, tell } from '../effects.ts';
import { addMessages, holdMessages } from '../messages/message-store.ts';
import { PartitionAssignment } from '../partitions/partition-assignment.ts';
import { Reactor } from './reactor.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterAll(() => db.close());

const tenant = 'default';
type Event = { readonly type: 'go' } | { readonly type: 'end' };

/** Its reaction asks for everything that a workflow can be left with. */
function asking(name: string) {
  const child = defineWorkflow<number, Event, Event>({
    name: `${name}-child`,
    initial: () => 0,
    decide: (_, command) => command,
    evolve: (state) => state + 1,
  });
  return defineWorkflow<number, Event, Event>({
    name,
    initial: () => 0,
    decide: (_, command) => command,
    evolve: (state) => state + 1,
    react: ({ type }, _, { id }) =>
      type === 'end'
        ? complete()
        : [
            act('work', 1),
            after({ hours: 1 }, { type: 'end' }, 'late'),
            subscribe('others', { type: 'whatever' }),
            startChild(child, `${id}-child`, { type: 'go' }),
            tell(child, `${id}-other`, { type: 'go' }),
          ],
    actions: { work: async () => 1 },
  });
}

async function reactorOf(workflow: ReturnType<typeof asking>, on: Database): Promise<Reactor> {
  const { name } = workflow;
  await handleCommands(db, workflow, [{ tenant, id: 'a', command: { type: 'go' } }]);
  await handleCommands(db, workflow, [{ tenant, id: 'b', command: { type: 'go' } }]);
  await settledLog(db);
  const assignment = new PartitionAssignment(on, {
    workflow: name,
    version: 1,
    holder: randomUUID(),
    ttlMs: 60_000,
    partition: null,
  });
  await assignment.sync();
  const limits = { maxEvents: 1000, parkAfter: 1, maxStates: 100, budgetMs: 1000 };
  return new Reactor(on, workflow, assignment, {
    ...limits,
    onParked: (id, error) => expect.fail(`${id} is parked: ${error}`),
  });
}

const cancel = (name: string) => cancelWorkflow(db, { tenant, workflow: name, id: 'a' });

/** What belongs to a workflow and could continue. */
async function left(name: string, id: string): Promise<unknown> {
  return one(
    db,
    `select (select count(*)::integer from action where workflow_key = w.key and state = 'waiting') as actions,
            (select count(*)::integer from message
             where message.workflow = w.name and message.workflow_id = w.id and timer is not null) as timers,
            (select count(*)::integer from subscription
             where subscription.workflow = w.name and subscription.workflow_id = w.id) as subscriptions,
            (select count(*)::integer from child where parent_key = w.key and outcome is null and cancel_at is null) as children,
            (select count(*)::integer from message
             where message.workflow = w.name || '-child' and message.workflow_id = w.id || '-other') as told
     from workflow w where name = $1 and id = $2`,
    [name, id],
  );
}

const NOTHING = { actions: 0, timers: 0, subscriptions: 0, children: 0 };
const ALL = { actions: 1, timers: 1, subscriptions: 1, children: 1 };

describe('a workflow that is cancelled while its reaction is written', () => {
  it('leaves nothing behind if it ended before the transaction began', async () => {
    let once: Promise<unknown> | null = null;
    const on: Database = {
      ...db,
      tx: async (work) => {
        once ??= armed ? cancel('before') : null;
        await once;
        return db.tx(work);
      },
    };
    let armed = false;
    const reactor = await reactorOf(asking('before'), on);
    armed = true;
    await reactor.round();
    expect(once).not.toBeNull();
    expect(await left('before', 'a')).toMatchObject({ ...NOTHING, told: 1 });
    expect(await left('before', 'b')).toMatchObject(ALL);
  });

  it('leaves nothing behind if it ended after its timers were written', async () => {
    let once: Promise<unknown> | null = null;
    const on: Database = {
      ...db,
      tx: (work) =>
        db.tx((tx) =>
          work({
            ...tx,
            query: async (sql, values, name) => {
              const result = await tx.query(sql, values, name);
              const setsTimers = sql.includes('insert into message') && sql.includes('do update');
              once ??= setsTimers ? cancel('between') : null;
              await once;
              return result as never;
            },
          }),
        ),
    };
    await (await reactorOf(asking('between'), on)).round();
    expect(once).not.toBeNull();
    expect(await left('between', 'a')).toMatchObject(NOTHING);
    expect(await left('between', 'b')).toMatchObject(ALL);
  });

  it('leaves nothing behind if the cancellation waits for the transaction', async () => {
    let cancelling: Promise<unknown> | null = null;
    const on: Database = {
      ...db,
      tx: (work) =>
        db.tx(async (tx) => {
          const result = await work(tx);
          if (armed) {
            armed = false;
            cancelling = cancel('behind');
            await Promise.race([hasLockWaiter(db), cancelling]);
          }
          return result;
        }),
    };
    let armed = false;
    const reactor = await reactorOf(asking('behind'), on);
    armed = true;
    await reactor.round();
    expect(cancelling).not.toBeNull();
    await cancelling;
    expect(await left('behind', 'a')).toMatchObject(NOTHING);
    expect(await left('behind', 'b')).toMatchObject(ALL);
  });
});

describe('a message to a workflow that is paused, and completes with a reaction that was under way,', () => {
  it('is not held back any more, whether it was held before or while that was written', async () => {
    const workflow = asking('held');
    const to = { tenant, workflow: 'held', id: 'c' };
    const message = { ...to, kind: 'command', body: { type: 'go' } } as const;
    let armed = false;
    let holding: Promise<unknown> | null = null;
    const on: Database = {
      ...db,
      tx: async (work) => {
        if (!armed) return db.tx(work);
        armed = false;
        await pauseWorkflow(db, to);
        await addMessages(db, [message, message]);
        const [first, second] = await many<{ id: number }>(
          db,
          'select id from message where workflow_id = $1',
          ['c'],
        );
        await db.tx((tx) => holdMessages(tx, [first!.id]));
        return db.tx(async (tx) => {
          const result = await work(tx);
          holding = db.tx((other) => holdMessages(other, [second!.id]));
          await Promise.race([hasLockWaiter(db), holding]);
          return result;
        });
      },
    };
    const reactor = await reactorOf(workflow, on);
    await handleCommands(db, workflow, [{ tenant, id: 'c', command: { type: 'end' } }]);
    await settledLog(db);
    armed = true;
    await reactor.round();
    expect(holding).not.toBeNull();
    await holding;
    const held = await many(db, `select due_at = 'infinity' as held from message where workflow_id = 'c'`);
    expect(held).toEqual([{ held: false }, { held: false }]);
  });
});
