import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import type { Database } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { pauseWorkflow } from '../control/control.ts';
import { signalWorkflow } from '../control/signal.ts';
import { counter } from '../counter.fixture.ts';
import { after, subscribe } from '../effects.ts';
import { openPartitioning } from '../partitions/partitioning.ts';
import { errand } from '../runner/errand.fixture.ts';
import { startRunner } from '../runner/runner.ts';
import { describeWorkflow, eventsOf } from './describe-workflow.ts';
import { partitionStatus } from './partition-status.ts';
import { readRemainingWork } from './partition-store.ts';
import { listWorkflows } from './workflow-queries.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

const tenant = 'default';
const add = (id: string, n = 1) => ({ tenant, id, command: { type: 'add', n } as never });

async function until(what: () => Promise<boolean>): Promise<void> {
  await waitUntil(String(what), async () => await what());
}

describe('the list of workflows', () => {
  beforeAll(async () => {
    await handleCommands(db, counter('listed'), [add('a'), add('b'), add('b'), add('c')]);
    await handleCommands(db, counter('other'), [add('z')]);
    await handleCommands(db, counter('listed'), [{ ...add('x'), tenant: 'another' }]);
    await pauseWorkflow(db, { tenant, workflow: 'listed', id: 'b' });
  });
  const ids = async (filter: object, limit = 10) =>
    (await listWorkflows(db, { tenant, ...filter }, limit)).map(({ id }) => id).sort();

  it('is of one tenant, one kind, one status', async () => {
    expect(await ids({})).toEqual(['a', 'b', 'c', 'z']);
    expect(await ids({ name: 'listed' })).toEqual(['a', 'b', 'c']);
    expect(await ids({ name: 'listed', status: 'paused' })).toEqual(['b']);
    expect(await ids({ status: 'parked' })).toEqual([]);
  });

  it('continues after the last one of the page, until all were returned once', async () => {
    const seen: string[] = [];
    for (let last: number | undefined; ; ) {
      const [line] = await listWorkflows(db, { tenant, name: 'listed', after: last }, 1);
      if (!line) break;
      seen.push(line.id);
      last = line.key;
    }
    expect(seen.sort()).toEqual(['a', 'b', 'c']);
  });
});

describe('one workflow', () => {
  it('shows what it waits for and what happened', async () => {
    const workflow = errand({
      name: 'shown',
      work: () => new Promise(() => {}),
      more: ({ type }) =>
        type === 'asked'
          ? [after({ hours: 1 }, { type: 'end' }), subscribe('prices', { workflow: 'price', tags: ['eu'] })]
          : [],
    });
    const runner = await startRunner(db, { workflows: [workflow], leaseMs: 60_000, pollMs: 20 });
    const address = { tenant, workflow: 'shown', id: 'a' };
    await handleCommands(db, workflow, [{ tenant, id: 'a', command: { type: 'run', n: 1 } as never }]);
    await until(async () => (await describeWorkflow(db, address)).actions[0]?.state === 'running');
    await signalWorkflow(db, address, { type: 'end' }, { afterMs: 7_200_000 });
    const view = await describeWorkflow(db, address);
    await runner.stop(0);
    expect(view.head).toMatchObject({ status: 'running', version: 1, reacted: 1, firstVersion: 1 });
    expect(view.actions).toMatchObject([{ name: 'work', version: 1, n: 0, attempts: 1 }]);
    expect(view.messages).toMatchObject([
      { timer: 'end', type: 'end' },
      { timer: null, type: 'end' },
    ]);
    expect(view.subscriptions).toMatchObject([{ name: 'prices', onWorkflow: 'price', tags: ['eu'] }]);
    expect(view.events).toMatchObject([{ version: 1, type: 'asked', data: { n: 1 } }]);
  });

  it('shows a message that has a lone surrogate in it', async () => {
    const address = { tenant, workflow: 'odd', id: 'one' };
    await handleCommands(db, counter('odd'), [add('one')]);
    const command = { type: 'x', name: 'a\ud800' };
    await signalWorkflow(db, address, { type: 'x' }, { afterMs: 1e9 });
    // As an earlier version wrote it: `signal` refuses such a half.
    await db.query('update message set body = $1 where workflow = $2', [JSON.stringify(command), 'odd']);
    expect((await describeWorkflow(db, address)).messages).toMatchObject([{ type: 'x', kind: 'command' }]);
  });

  it('has its events in pages', async () => {
    await handleCommands(db, counter('paged'), [add('a', 1), add('a', 2), add('a', 3)]);
    const address = { tenant, workflow: 'paged', id: 'a' };
    const page = await eventsOf(db, address, { after: 1, limit: 1 });
    expect(page).toMatchObject([{ version: 2, data: { n: 2 } }]);
    expect((await describeWorkflow(db, address, 2)).events.map(({ version }) => version)).toEqual([2, 3]);
    await expect(describeWorkflow(db, { ...address, id: 'none' })).rejects.toThrow('There is no paged none.');
  });
});

describe.each([
  ['slots', { mode: 'slots' }, null],
  ['static', { mode: 'static', total: 3 }, { index: 1, total: 3 }],
] as const)('the status of %s', (mode, layout, partition) => {
  const workflow = counter(`status-${mode}`);
  const commands = Array.from({ length: 30 }, (_, n) => add(`id-${n}`));

  it('counts what each reader has not read, and nothing of others', async () => {
    await openPartitioning(db, workflow.name, layout);
    await handleCommands(db, workflow, commands);
    const { workflows } = await partitionStatus(db, workflow.name);
    expect(workflows).toHaveLength(1);
    expect(workflows[0]).toMatchObject({ mode, epoch: 1, lag: 30, lastMinute: 30 });
    expect(workflows[0]!.waitingSeconds).toBeGreaterThan(0);
    expect(workflows[0]!.waiting).toEqual({ messages: 0, actions: 0, runningActions: 0 });
    expect(workflows[0]!.holders).toMatchObject([{ holder: null, lag: 30 }]);
    expect((await readRemainingWork(db, [workflow.name], partition)).unread).toBe(true);
  });

  it('names who holds what, and has no lag when all is read', async () => {
    const options = { workflows: [workflow], leaseMs: 60_000, pollMs: 20, partition };
    const runner = await startRunner(db, options);
    await until(async () => !(await readRemainingWork(db, [workflow.name], partition)).unread);
    const { workflows, runners } = await partitionStatus(db, workflow.name);
    const held = workflows[0]!.holders.find(({ holder }) => holder === runner.id)!;
    await runner.stop(0);
    expect(held).toMatchObject({ pid: process.pid, lag: 0, expiresAt: expect.any(Date) });
    expect(held.parts).toHaveLength(partition ? 1 : 256);
    if (!partition) expect(workflows[0]!.waitingSeconds).toBeNull();
    expect(runners).toMatchObject([{ id: runner.id, parts: held.parts.length, actions: 0 }]);
    if (partition) expect(workflows[0]!.slowest.part).not.toBe(partition.index);
  });
});
