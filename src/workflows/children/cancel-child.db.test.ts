import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type Database, many } from '../../db/database.ts';
import { WorkflowClient } from '../client.ts';
import { type Runner, startRunner } from '../runner/runner.ts';
import { type Family, family, type ParentCommand } from './family.fixture.ts';

let db: Database & { url: string };
let client: WorkflowClient;
const runners: Runner[] = [];
beforeAll(async () => {
  db = await freshDatabase(16);
  client = new WorkflowClient(db);
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
});
afterAll(() => client.close());

async function run(workflows: readonly Family[keyof Family][]): Promise<void> {
  runners.push(await startRunner(db, { workflows, leaseMs: 60_000, pollMs: 50 }));
}

/** What the parent has learned of its children, once it has learned so much. */
const learned = ({ parent }: Family, id: string, max: number) =>
  waitFor(db, `what ${id} learns`, async () => {
    const noted = (await client.state(parent, id))?.state ?? [];
    return noted.length >= max ? noted : null;
  });

const begun = ({ job }: Family, id: string) => waitFor(db, `the begin of ${id}`, () => client.state(job, id));
const statusOf = async ({ job }: Family, id: string) => (await client.state(job, id))?.status ?? null;
const sendAll = ({ parent }: Family, id: string, commands: readonly ParentCommand[]) =>
  client.sendAll(
    parent,
    commands.map((command) => ({ id, command })),
  );

describe('a child that its parent cancels', () => {
  it('ends with its own children, and its parent continues with the event', async () => {
    const both = family('one');
    await run([both.parent, both.job]);
    await sendAll(both, 'p', [
      { type: 'start', id: 'c' },
      { type: 'start', id: 'd' },
    ]);
    await begun(both, 'd');
    await begun(both, 'c');
    await client.send(both.job, 'c', { type: 'start', id: 'grandchild' });
    await begun(both, 'grandchild');
    await client.send(both.parent, 'p', { type: 'cancel', id: 'c' });
    expect(await learned(both, 'p', 1)).toEqual(['c cancelled']);
    await waitFor(db, 'the end of the grandchild', async () =>
      (await statusOf(both, 'grandchild')) === 'cancelled' ? true : null,
    );
    expect(await statusOf(both, 'd')).toBe('running');
    expect(await client.state(both.parent, 'p')).toMatchObject({ status: 'running' });
    const reasons = await many<{ data: { reason: string } }>(
      db,
      `select data from event where type = 'workflow.cancelled' and workflow = 'one-job' order by xid`,
    );
    expect(reasons[0]!.data.reason).toBe('its parent, a workflow one-parent, has cancelled it');
    await client.send(both.job, 'd', { type: 'finish', result: 'well' });
    expect(await learned(both, 'p', 2)).toEqual(['c cancelled', 'd completed: well']);
  });

  it('is cancelled by no other workflow, nor once it has ended', async () => {
    const both = family('other');
    await run([both.parent, both.job]);
    await client.send(both.parent, 'p', { type: 'start', id: 'c' });
    await begun(both, 'c');
    await client.send(both.parent, 'q', { type: 'start', id: 'other' });
    await begun(both, 'other');
    await client.send(both.parent, 'q', { type: 'cancel', id: 'c' });
    await client.send(both.parent, 'q', { type: 'cancel', id: 'nobody' });
    await client.send(both.parent, 'q', { type: 'cancel', id: 'other' });
    await learned(both, 'q', 1);
    await client.send(both.job, 'c', { type: 'finish', result: 'well' });
    await learned(both, 'p', 1);
    await client.send(both.parent, 'p', { type: 'cancel', id: 'c' });
    await client.send(both.parent, 'p', { type: 'start', id: 'last', begin: { type: 'refuse' } });
    expect((await learned(both, 'p', 2))[0]).toBe('c completed: well');
    expect(await client.state(both.parent, 'q')).toMatchObject({ state: ['other cancelled'] });
  });

  it('in the batch that starts it has its event, too, whether it begins or not', async () => {
    const both = family('batch');
    await sendAll(both, 'p', [
      { type: 'start', id: 'c' },
      { type: 'cancel', id: 'c' },
    ]);
    await run([both.parent, both.job]);
    expect(await learned(both, 'p', 1)).toEqual(['c cancelled']);
    expect(await statusOf(both, 'c')).not.toBe('running');
  });

  it('is not the one of its id that is started afterwards', async () => {
    const both = family('after');
    await sendAll(both, 'p', [
      { type: 'cancel', id: 'c' },
      { type: 'start', id: 'c' },
    ]);
    await run([both.parent, both.job]);
    await begun(both, 'c');
    await client.send(both.job, 'c', { type: 'finish', result: 'well' });
    expect(await learned(both, 'p', 1)).toEqual(['c completed: well']);
  });

  it('is cancelled also if its parent ends in the same batch', async () => {
    const both = family('ends');
    await run([both.parent, both.job]);
    await client.send(both.parent, 'p', { type: 'start', id: 'kept', onParentEnd: 'abandon' });
    await client.send(both.parent, 'p', { type: 'start', id: 'left', onParentEnd: 'abandon' });
    await begun(both, 'kept');
    await begun(both, 'left');
    await sendAll(both, 'p', [{ type: 'cancel', id: 'left' }, { type: 'end' }]);
    await waitFor(db, 'the end of the child', async () =>
      (await statusOf(both, 'left')) === 'cancelled' ? true : null,
    );
    expect(await statusOf(both, 'kept')).toBe('running');
  });
});
