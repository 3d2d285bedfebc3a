import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { repeatWhile, waitUntil } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { continueAsNew } from '../decision.ts';
import { type AnyWorkflow, defineWorkflow } from '../define.ts';
import { act, complete } from '../effects.ts';
import { readRemainingWork } from '../queries/partition-store.ts';
import { startRunner } from '../runner/runner.ts';
import { archiveEvents } from './archive.ts';
import { deleteOldCommandIds } from './archive-store.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

const tenant = 'default';
type Command = { type: 'pay' } | { type: 'anew' } | { type: 'close' };

const account = defineWorkflow<{ paid: number }, Command, { type: 'paid' } | { type: 'closed' }>({
  name: 'account',
  initial: () => ({ paid: 0 }),
  decide: (state, { type }) => {
    if (type === 'anew') return continueAsNew(state);
    return type === 'pay' ? { type: 'paid' } : { type: 'closed' };
  },
  evolve: (state, { type }) => (type === 'paid' ? { paid: state.paid + 1 } : state),
  react: ({ type }) => (type === 'closed' ? complete() : []),
});

async function send(id: string, type: Command['type'], commandId: string | null = null) {
  const [outcome] = await handleCommands(db, account, [{ tenant, id, command: { type }, commandId }]);
  return outcome!.outcome;
}

async function settle(workflow: AnyWorkflow = account): Promise<void> {
  const runner = await startRunner(db, { workflows: [workflow], leaseMs: 60_000, pollMs: 20 });
  const left = () => readRemainingWork(db, [workflow.name], null);
  await waitUntil('all work of the workflows', async () => !Object.values(await left()).some(Boolean));
  await runner.stop(0);
  await settledLog(db);
}

const archiveAll = (workflow = account.name) =>
  archiveEvents(db, {
    tenant,
    workflow,
    olderThanMs: -60_000, // all that has ended
    delete: true,
    write: async () => {},
  });

const eventsOf = (id: string) =>
  many(db, 'select 1 from event join workflow on key = workflow_key where id = $1', [id]);

describe('a command whose events were deleted', () => {
  it('has no second effect on a workflow that lives on', async () => {
    expect(await send('lives', 'pay', 'payment-1')).toBe('accepted');
    await send('lives', 'anew');
    await settle();
    expect(await archiveAll()).toMatchObject({ deleted: 1 });
    expect(await eventsOf('lives')).toHaveLength(1);
    expect(await send('lives', 'pay', 'payment-1')).toBe('repeated');
    expect(await send('lives', 'pay', 'payment-2')).toBe('accepted');
  });

  it('is answered as repeated by a workflow that has ended, others as rejected', async () => {
    await send('ended', 'pay', 'payment-1');
    await send('ended', 'close', 'close-1');
    await settle();
    await archiveAll();
    expect(await eventsOf('ended')).toEqual([]);
    expect(await send('ended', 'close', 'close-1')).toBe('repeated');
    expect(await send('ended', 'pay', 'payment-1')).toBe('repeated');
    expect(await send('ended', 'pay', 'payment-2')).toBe('rejected');
  });

  it('is known only to its own workflow', async () => {
    expect(await send('other', 'pay', 'payment-1')).toBe('accepted');
  });

  it('is forgotten when its time is over, a few at a time', async () => {
    await send('forgotten', 'pay', 'payment-1');
    await send('forgotten', 'anew', 'anew-1');
    await settle();
    await archiveAll();
    expect(await deleteOldCommandIds(db, 60_000)).toBe(0);
    expect(await send('forgotten', 'pay', 'payment-1')).toBe('repeated');
    expect(await deleteOldCommandIds(db, -60_000, 1)).toBe(1);
    await repeatWhile('removal of command ids', async () => (await deleteOldCommandIds(db, -60_000, 1)) > 0);
    expect(await send('forgotten', 'pay', 'payment-1')).toBe('accepted');
    expect(await send('forgotten', 'anew', 'anew-1')).toBe('repeated'); // its event is still there
  });
});

describe('an action of deleted events', () => {
  type Order = { type: 'run'; n: number } | { type: 'anew' } | { type: 'end' };
  const task = defineWorkflow<null, Order, { type: 'asked'; n: number } | { type: 'ended' }>({
    name: 'task',
    initial: () => null,
    decide: (state, order) => {
      if (order.type === 'anew') return continueAsNew(state);
      return order.type === 'run' ? { type: 'asked', n: order.n } : { type: 'ended' };
    },
    evolve: (state) => state,
    react: (event) =>
      event.type === 'asked' ? act('work', { n: event.n }) : event.type === 'ended' ? complete() : [],
    actions: {
      work: async ({ n }: { n: number }) => {
        if (n === 13) throw new SeineError('usage', 'The card was declined.');
        return n;
      },
    },
  });

  const actions = () =>
    many<{ n: number }>(db, `select input -> 'n' as n from action where workflow = 'task' order by id`);

  it('goes with its input and result, unless its dead letter is open and it can be retried', async () => {
    const run = (n: number) => ({ tenant, id: 'a', command: { type: 'run' as const, n } });
    await handleCommands(db, task, [run(1), run(13)]);
    await settle(task);
    await handleCommands(db, task, [{ tenant, id: 'a', command: { type: 'anew' } }, run(2)]);
    await settle(task);
    expect(await actions()).toEqual([{ n: 1 }, { n: 13 }, { n: 2 }]);
    await archiveAll('task');
    expect(await actions()).toEqual([{ n: 13 }, { n: 2 }]);
    await handleCommands(db, task, [{ tenant, id: 'a', command: { type: 'end' } }]);
    await settle(task);
    await archiveAll('task');
    expect(await actions()).toEqual([]);
    expect(await many(db, `select from dead_letter where kind = 'action'`)).toEqual([]);
  });
});
