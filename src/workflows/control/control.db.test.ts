import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { type Database, many, one } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { counter } from '../counter.fixture.ts';
import { deliverDue } from '../messages/deliver.ts';
import { addMessages } from '../messages/message-store.ts';
import { describeWorkflow, eventsOf } from '../queries/describe-workflow.ts';
import { actionStates, errand } from '../runner/errand.fixture.ts';
import { type Runner, startRunner } from '../runner/runner.ts';
import { cancelWorkflow, pauseWorkflow, resumeWorkflow } from './control.ts';
import { parkedWorkflows, retryParked } from './parked.ts';
import { signalWorkflow } from './signal.ts';

let db: Database & { url: string };
const runners: Runner[] = [];
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
});
afterAll(() => db.close());

const tenant = 'default';
const at = (workflow: string, id: string) => ({ tenant, workflow, id });
const EVERY_SLOT = { parts: Array.from({ length: 256 }, (_, slot) => slot), total: 256 };

async function start(...workflows: ReturnType<typeof errand>[]): Promise<void> {
  runners.push(await startRunner(db, { workflows, leaseMs: 60_000, pollMs: 30, parkAfter: 2 }));
}

async function until(what: () => Promise<boolean>): Promise<void> {
  await waitUntil(String(what), async () => await what());
}

const types = async (workflow: string, id: string) =>
  (await eventsOf(db, at(workflow, id), { after: 0, limit: 100 })).map(({ type }) => type);

const run = (id: string, n = 1) => ({ tenant, id, command: { type: 'run', n } as never });

describe('a paused workflow', () => {
  it('answers that it is paused, reacts to nothing, and catches up when it is resumed', async () => {
    const workflow = errand({ name: 'paused' });
    await handleCommands(db, workflow, [run('a')]);
    expect(await pauseWorkflow(db, at('paused', 'a'), 'too dear')).toEqual({
      changed: true,
      status: 'paused',
    });
    expect(await handleCommands(db, workflow, [run('a')])).toEqual([{ outcome: 'paused' }]);
    await handleCommands(db, workflow, [run('b')]);
    await start(workflow);
    await until(async () => (await types('paused', 'b')).includes('work.done'));
    expect(await actionStates(db, 'paused')).toEqual({ done: 1 });
    expect(await resumeWorkflow(db, at('paused', 'a'))).toEqual({ changed: true, status: 'running' });
    await until(async () => (await types('paused', 'a')).includes('work.done'));
    expect(await types('paused', 'a')).toEqual(['asked', 'workflow.paused', 'workflow.resumed', 'work.done']);
    const [, paused] = await eventsOf(db, at('paused', 'a'), { after: 0, limit: 2 });
    expect(paused!.data).toEqual({ reason: 'too dear' });
  });

  it('has its messages held, and gets them when it is resumed', async () => {
    const workflow = counter('held');
    await handleCommands(db, workflow, [{ tenant, id: 'a', command: { type: 'add', n: 1 } as never }]);
    await pauseWorkflow(db, at('held', 'a'));
    await signalWorkflow(db, at('held', 'a'), { type: 'add', n: 5 } as never);
    expect(await deliverDue(db, workflow, EVERY_SLOT)).toBe(1);
    expect(await deliverDue(db, workflow, EVERY_SLOT)).toBe(0);
    expect((await describeWorkflow(db, at('held', 'a'))).messages).toMatchObject([
      { type: 'add', due: null },
    ]);
    await resumeWorkflow(db, at('held', 'a'));
    expect(await deliverDue(db, workflow, EVERY_SLOT)).toBe(1);
    expect(await types('held', 'a')).toEqual(['added', 'workflow.paused', 'workflow.resumed', 'added']);
  });

  it('is not left with a message that was held in the very moment it was resumed', async () => {
    const workflow = counter('moment');
    await handleCommands(db, workflow, [{ tenant, id: 'a', command: { type: 'add', n: 1 } as never }]);
    await pauseWorkflow(db, at('moment', 'a'));
    await addMessages(db, [
      { tenant, workflow: 'moment', id: 'a', kind: 'command', body: { type: 'add', n: 5 } },
    ]);
    let resumed: Promise<unknown> | undefined;
    await db.tx(async (tx) => {
      // A runner has read the message and found its workflow paused; now the workflow is resumed.
      await tx.query(`select from message where workflow = 'moment' for update`);
      resumed = resumeWorkflow(db, at('moment', 'a'));
      const status = `select from workflow where name = 'moment' and status = 'running'`;
      await waitUntil('the workflow to be resumed', async () => (await db.query(status)).rowCount !== 0);
      await tx.query(`update message set due_at = 'infinity' where workflow = 'moment'`);
    });
    await resumed;
    expect(await deliverDue(db, workflow, EVERY_SLOT)).toBe(1);
  });

  it('is paused and resumed once, however often it is said', async () => {
    await handleCommands(db, errand({ name: 'often' }), [run('a')]);
    for (const changed of [true, false])
      expect(await pauseWorkflow(db, at('often', 'a'))).toEqual({ changed, status: 'paused' });
    for (const changed of [true, false])
      expect(await resumeWorkflow(db, at('often', 'a'))).toEqual({ changed, status: 'running' });
    expect(await types('often', 'a')).toEqual(['asked', 'workflow.paused', 'workflow.resumed']);
  });
});

describe('a cancelled workflow', () => {
  it('ends with its open actions and what was held for it', async () => {
    const workflow = errand({ name: 'cancelled' });
    await handleCommands(db, workflow, [run('a')]);
    await pauseWorkflow(db, at('cancelled', 'a'));
    await signalWorkflow(db, at('cancelled', 'a'), { type: 'run', n: 2 } as never);
    await deliverDue(db, workflow, EVERY_SLOT);
    expect(await cancelWorkflow(db, at('cancelled', 'a'))).toEqual({ changed: true, status: 'cancelled' });
    await deliverDue(db, workflow, EVERY_SLOT);
    const { head, messages } = await describeWorkflow(db, at('cancelled', 'a'));
    expect({ status: head.status, messages }).toEqual({ status: 'cancelled', messages: [] });
    expect(await types('cancelled', 'a')).toEqual(['asked', 'workflow.paused', 'workflow.cancelled']);
  });

  it('can be cancelled again, and nothing else', async () => {
    const cancelled = at('cancelled', 'a');
    expect(await cancelWorkflow(db, cancelled)).toEqual({ changed: false, status: 'cancelled' });
    await expect(resumeWorkflow(db, cancelled)).rejects.toThrow('is already cancelled');
    await expect(pauseWorkflow(db, cancelled)).rejects.toThrow('is already cancelled');
    await expect(signalWorkflow(db, cancelled, { type: 'run' })).rejects.toThrow('is already cancelled');
  });
});

it('a workflow that does not exist is an error', async () => {
  for (const verb of [pauseWorkflow, resumeWorkflow, cancelWorkflow])
    await expect(verb(db, at('order', 'nobody'))).rejects.toThrow('There is no order nobody.');
});

describe('what is parked', () => {
  it('a reaction is listed with its error, and continues when it is retried', async () => {
    let broken = true;
    const reacting = () => {
      if (broken) throw new Error('no such price list');
    };
    const workflow = errand({ name: 'parked', reacting });
    await handleCommands(db, workflow, [run('a'), run('b')]);
    await start(workflow);
    const parked = () => parkedWorkflows(db, { tenant, workflow: 'parked' });
    await until(async () => (await parked()).length === 2);
    expect((await parked()).find(({ id }) => id === 'a')).toMatchObject({
      what: 'reaction',
      version: 1,
      error: expect.stringContaining('no such price list'),
    });
    broken = false;
    expect(await retryParked(db, { tenant, workflow: 'parked', id: 'a' })).toEqual({
      reactions: 1,
      messages: 0,
    });
    await until(async () => (await types('parked', 'a')).includes('work.done'));
    expect((await parked()).map(({ id }) => id)).toEqual(['b']);
    expect(await parkedWorkflows(db, { tenant: 'another' })).toEqual([]);
    expect(await retryParked(db, { tenant, workflow: 'parked' })).toEqual({ reactions: 1, messages: 0 });
  });

  it('a message is listed, and delivered when it is retried', async () => {
    const workflow = counter('letters');
    await signalWorkflow(db, at('letters', 'a'), { type: 'explode' });
    for (let n = 0; n < 5; n++) {
      await db.query(`update message set due_at = clock() where workflow = 'letters'`);
      await deliverDue(db, workflow, EVERY_SLOT);
    }
    const [parked] = await parkedWorkflows(db, { tenant, workflow: 'letters' });
    expect(parked).toMatchObject({
      what: 'message',
      id: 'a',
      attempts: 5,
      error: expect.stringContaining('boom'),
    });
    await db.query(`update message set body = '{"type":"add","n":3}' where id = $1`, [parked!.message]);
    expect(await retryParked(db, { tenant, workflow: 'letters', id: 'a' })).toEqual({
      reactions: 0,
      messages: 1,
    });
    await deliverDue(db, workflow, EVERY_SLOT);
    expect(await types('letters', 'a')).toEqual(['added']);
  });
});

describe('a signal', () => {
  it('has one effect under one id, and none before its time', async () => {
    const workflow = counter('signalled');
    const to = at('signalled', 'a');
    for (let n = 0; n < 2; n++)
      await signalWorkflow(db, to, { type: 'add', n: 1 } as never, { commandId: 'once' });
    await signalWorkflow(db, to, { type: 'add', n: 1 } as never, { afterMs: 3_600_000 });
    await signalWorkflow(db, to, { type: 'add', n: 1 } as never, { at: new Date('2999-01-01T00:00:00Z') });
    expect(await deliverDue(db, workflow, EVERY_SLOT)).toBe(2);
    expect(await types('signalled', 'a')).toEqual(['added']);
    const left = await many<{ hours: number }>(
      db,
      `select round(extract(epoch from due_at - clock()) / 3600) as hours from message
       where workflow = 'signalled' order by due_at`,
    );
    expect(left[0]!.hours).toBe(1);
    expect(left[1]!.hours).toBeGreaterThan(24 * 365);
  });

  it('needs a type', async () => {
    await expect(signalWorkflow(db, at('signalled', 'a'), {} as never)).rejects.toThrow('needs a type');
    expect(
      (await one<{ n: number }>(db, `select count(*) as n from message where workflow = 'signalled'`)).n,
    ).toBe(2);
  });
});
