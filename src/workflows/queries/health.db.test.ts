import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type Database, many } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { signalWorkflow } from '../control/signal.ts';
import { reject } from '../decision.ts';
import { defineWorkflow } from '../define.ts';
import { after, tell } from '../effects.ts';
import { addMessages } from '../messages/message-store.ts';
import { deleteOldRejections } from '../messages/rejection-store.ts';
import { errand } from '../runner/errand.fixture.ts';
import { startRunner } from '../runner/runner.ts';
import { describeWorkflow } from './describe-workflow.ts';
import { formatHealth, readHealth } from './health.ts';
import { UnservedMonitor, unservedMessages } from './unserved.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

const tenant = 'default';
const run = (id: string) => ({ tenant, id, command: { type: 'run' as const, n: 1 } });

describe('messages for a workflow that no runner serves', () => {
  const shipment = errand({ name: 'shipment' });
  const sender = errand({
    name: 'sender',
    more: ({ type }, { asked }) =>
      type === 'asked' ? [tell(shipment, `s-${asked.length}`, { type: 'end' })] : [],
  });
  const sendsTwo = async () => {
    const runner = await startRunner(db, { workflows: [sender], leaseMs: 60_000, pollMs: 20 });
    await handleCommands(db, sender, [run('a'), run('a')]);
    await waitFor(db, 'two messages', async () => {
      const messages = await many(db, `select 1 from message where workflow = 'shipment'`);
      return messages.length === 2 ? messages : null;
    });
    await runner.stop(0);
  };
  const age = () =>
    db.query(`update message set due_at = due_at - interval '5 minutes' where workflow = 'shipment'`);

  it('are seen when the first has waited for long, until a runner is there', async () => {
    await sendsTwo();
    expect(await unservedMessages(db)).toEqual([]);
    await age();
    expect(await unservedMessages(db)).toEqual([
      { workflow: 'shipment', messages: 2, waitingSeconds: expect.any(Number) },
    ]);
    const health = await readHealth(db);
    expect(formatHealth(health)[0]).toMatch(
      /^2 messages wait for the workflow shipment, which no runner serves; the first has waited for 5 min\.$/,
    );
    expect((await readHealth(db, 'sender')).unserved).toEqual([]);
    const watch = new UnservedMonitor(db);
    expect(await watch.check()).toHaveLength(1);
    expect(await watch.check()).toEqual([]);
    const runner = await startRunner(db, { workflows: [shipment], leaseMs: 60_000, pollMs: 1e6 });
    expect(await unservedMessages(db)).toEqual([]);
    await runner.stop(0);
  });

  it('are reported for a workflow that has not begun', async () => {
    await signalWorkflow(db, { tenant, workflow: 'nowhere', id: 'n-1' }, { type: 'send' });
    const showing = (id: string) => describeWorkflow(db, { tenant, workflow: 'nowhere', id });
    await expect(showing('n-1')).rejects.toThrow('its first message waits for a runner');
    await expect(showing('n-2')).rejects.toThrow('There is no nowhere n-2.');
  });

  it('are not those of timers that are not due, nor of what is parked', async () => {
    await db.query('delete from message');
    await addMessages(db, [
      { tenant, workflow: 'later', id: 'a', kind: 'command', body: { type: 'x' } },
      { tenant, workflow: 'parked', id: 'a', kind: 'command', body: { type: 'x' } },
    ]);
    await db.query(`update message set due_at = clock() + interval '1 hour' where workflow = 'later'`);
    await db.query(
      `update message set parked_at = clock(), due_at = clock() - interval '1 hour' where workflow = 'parked'`,
    );
    expect(await unservedMessages(db)).toEqual([]);
    expect((await readHealth(db)).parked).toEqual([{ workflow: 'parked', reactions: 0, messages: 1 }]);
    await db.query('delete from message');
  });
});

describe('a message that is rejected', () => {
  type Order = { type: 'begin' } | { type: 'pay' } | { type: 'remind' };
  const closed = defineWorkflow<null, Order, { type: 'begun' }>({
    name: 'closed',
    initial: () => null,
    decide: (_, { type }) => (type === 'begin' ? { type: 'begun' } : reject('it is closed')),
    evolve: (state) => state,
    react: () => after(10, { type: 'remind' }, 'reminder'),
  });
  const address = { tenant, workflow: 'closed', id: 'a' };
  const rejected = async () => (await describeWorkflow(db, address)).rejected;

  it('is shown with its reason, of a timer with its name', async () => {
    const runner = await startRunner(db, { workflows: [closed], leaseMs: 60_000, pollMs: 20 });
    await handleCommands(db, closed, [{ tenant, id: 'a', command: { type: 'begin' } }]);
    await signalWorkflow(db, address, { type: 'pay' });
    const both = await waitFor(db, 'two rejections', async () => {
      const all = await rejected();
      return all.length === 2 ? all : null;
    });
    await runner.stop(0);
    const reasons = both.map(({ type, timer, reason }) => ({ type, timer, reason }));
    expect(reasons).toContainEqual({ type: 'pay', timer: null, reason: 'it is closed' });
    expect(reasons).toContainEqual({ type: 'remind', timer: 'reminder', reason: 'it is closed' });
    expect((await readHealth(db, 'closed')).rejected).toEqual([{ workflow: 'closed', messages: 2 }]);
  });

  it('is none when a subscriber does not care about an event', async () => {
    const hears = defineWorkflow<null, Order, { type: 'begun' }>({
      ...closed,
      name: 'hears',
      receive: () => null,
    });
    const body = { workflow: 'other', id: 'x', version: 1, type: 'y', data: {}, tags: [], at: new Date() };
    await addMessages(db, [{ tenant, workflow: 'hears', id: 'a', kind: 'event', body }]);
    const runner = await startRunner(db, { workflows: [hears], leaseMs: 60_000, pollMs: 20 });
    await waitFor(db, 'the message delivered', async () => {
      const left = await many(db, `select 1 from message where workflow = 'hears'`);
      return left.length === 0 ? left : null;
    });
    await runner.stop(0);
    expect(await many(db, `select 1 from rejected_message where workflow = 'hears'`)).toEqual([]);
  });

  it('goes when there are many of one workflow, and after its time', async () => {
    const runner = await startRunner(db, { workflows: [closed], leaseMs: 60_000, pollMs: 20 });
    for (let n = 0; n < 30; n++) await signalWorkflow(db, address, { type: 'pay' });
    await waitFor(db, 'all messages delivered', async () => {
      const left = await many(db, `select 1 from message where workflow = 'closed'`);
      return left.length === 0 ? left : null;
    });
    await runner.stop(0);
    const count = () => many(db, `select 1 from rejected_message where workflow = 'closed'`);
    expect(await count()).toHaveLength(20);
    expect(await deleteOldRejections(db)).toBe(0);
    await db.query(`update rejected_message set at = at - interval '31 days'`);
    expect(await deleteOldRejections(db)).toBe(20);
  });
});
