import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type Database, many } from '../../db/database.ts';
import { addActions } from '../actions/action-store.ts';
import { addChildren } from '../children/child-store.ts';
import { type Family, family } from '../children/family.fixture.ts';
import { WorkflowClient } from '../client.ts';
import { addSubscription } from '../reactions/subscription-store.ts';
import { EndedSweep } from './ended-sweep.ts';
import { startRunner } from './runner.ts';

let db: Database;
let client: WorkflowClient;
beforeAll(async () => {
  db = await freshDatabase(12);
  client = new WorkflowClient(db);
});
afterAll(() => client.close());

const tenant = 'default';

/** Workflows with an open action, a subscription and a child. */
async function opened({ parent, job }: Family, ids: readonly string[]): Promise<void> {
  await client.sendAll(
    parent,
    ids.map((id) => ({ id, command: { type: 'end' } })),
  );
  const heads = await many<{ key: number; id: string }>(db, 'select key, id from workflow where name = $1', [
    parent.name,
  ]);
  await db.tx(async (tx) => {
    const of = { tenant, workflow: parent.name };
    await addActions(
      tx,
      heads.map(({ key }) => ({ ...of, workflowKey: key, version: 1, n: 0, name: 'work', input: null })),
    );
    for (const { id } of heads) await addSubscription(tx, { ...of, id }, 'others', { type: 'whatever' });
    const start = { do: 'start child', workflow: job.name, command: { type: 'begin' }, name: 'job' } as const;
    await addChildren(
      tx,
      heads.map(({ key, id }) => ({
        tenant,
        parentKey: key,
        parentWorkflow: parent.name,
        parentId: id,
        start: { ...start, id: `${id}-child`, onParentEnd: 'cancel' },
      })),
    );
  });
}

/** As a runner of an earlier version does it: nothing else is written. */
async function end(workflow: string, id: string, result: string | null = null): Promise<void> {
  await db.query(`update workflow set status = 'completed', result = $3 where name = $1 and id = $2`, [
    workflow,
    id,
    result,
  ]);
}

const left = ({ parent }: Family) =>
  many(
    db,
    `select id,
            (select count(*)::integer from action where workflow_key = key and state = 'waiting') as actions,
            (select count(*)::integer from subscription where subscription.workflow = w.name and workflow_id = w.id) as subscriptions,
            (select count(*)::integer from child where parent_key = key and cancel_at is null) as children
     from workflow w where name = $1 order by id`,
    [parent.name],
  );

describe('what an earlier version has left of workflows that ended', () => {
  it('ends, page by page, and what belongs to the others stays', async () => {
    const both = family('pages');
    const ids = Array.from({ length: 25 }, (_, n) => `p${String(n).padStart(2, '0')}`);
    await opened(both, ids);
    const ended = ids.filter((_, n) => n % 3 === 0);
    for (const id of ended) await end(both.parent.name, id);
    const sweep = new EndedSweep(db, 2);
    const first = await sweep.round(); // five pages of two
    expect(first).toBeGreaterThan(0);
    expect((await left(both)).at(-1)).toMatchObject({ actions: 1, subscriptions: 1, children: 1 });
    for (let round = 0; round < 3; round++) await sweep.round();
    const n = (id: string) => (ended.includes(id) ? 0 : 1);
    expect(await left(both)).toEqual(
      ids.map((id) => ({ id, actions: n(id), subscriptions: n(id), children: n(id) })),
    );
  });

  it('is found again when the sweep restarts', async () => {
    const both = family('again');
    const sweep = new EndedSweep(db, 1000);
    await opened(both, ['a']);
    await sweep.round();
    await end(both.parent.name, 'a');
    expect(await sweep.round()).toBeGreaterThan(0);
    expect(await sweep.round()).toBe(0);
    expect(await left(both)).toEqual([{ id: 'a', actions: 0, subscriptions: 0, children: 0 }]);
  });

  it('does not concern a workflow that has taken the id of a child that has not begun', async () => {
    const both = family('taken');
    await opened(both, ['a']);
    await client.send(both.job, 'a-child', { type: 'begin' });
    await end(both.job.name, 'a-child');
    await new EndedSweep(db).round();
    expect(await many(db, 'select outcome from child where workflow = $1', [both.job.name])).toEqual([
      { outcome: null },
    ]);
  });

  it('of a child is the event of its parent, with the next runner', async () => {
    const both = family('upgraded');
    const first = await startRunner(db, { workflows: [both.parent, both.job], pollMs: 20 });
    await client.send(both.parent, 'p', { type: 'start', id: 'c' });
    await waitFor(db, 'the child', async () => client.state(both.job, 'c'));
    await first.stop(0);
    await end(both.job.name, 'c', '"well"');
    const second = await startRunner(db, { workflows: [both.parent, both.job], pollMs: 20 });
    const state = await waitFor(db, 'the event of the parent', async () => {
      const parent = await client.state(both.parent, 'p');
      return parent && parent.state.length > 0 ? parent.state : null;
    });
    expect(state).toEqual(['c completed: well']);
    await second.stop(0);
  });
});
