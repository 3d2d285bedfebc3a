import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many, type Queryable } from '../../db/database.ts';
import { WorkflowClient } from '../client.ts';
import { cancelWorkflow, pauseWorkflow } from '../control/control.ts';
import { describeWorkflow } from '../queries/describe-workflow.ts';
import { type Runner, startRunner } from '../runner/runner.ts';
import { type Family, family } from './family.fixture.ts';
import { syncChildren } from './sync-children.ts';

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

async function run(workflows: readonly Family[keyof Family][], on: Database = db): Promise<void> {
  runners.push(await startRunner(on, { workflows, leaseMs: 60_000, pollMs: 50 }));
}

async function until(what: () => Promise<boolean>): Promise<void> {
  await waitUntil(String(what), async () => await what());
}

/** What the parent has learned of its children, once it has learned so much. */
async function learned({ parent }: Family, id: string, max: number, by = client): Promise<readonly string[]> {
  const state = async () => (await by.state(parent, id))?.state ?? [];
  await until(async () => (await state()).length >= max);
  return state();
}

async function begun({ job }: Family, id: string, by = client): Promise<void> {
  await until(async () => (await by.state(job, id)) !== null);
}

const statusOf = async ({ job }: Family, id: string) => (await client.state(job, id))?.status ?? null;

describe('a child workflow', () => {
  it.each([
    ['completes', { type: 'finish', result: 'well' }, 'c1 completed: well'],
    ['fails', { type: 'give up' }, 'c1 failed: it is too much'],
  ] as const)('that %s is an event of its parent', async (how, command, noted) => {
    const both = family(how);
    await run([both.parent, both.job]);
    await client.send(both.parent, 'p', { type: 'start', id: 'c1' });
    await begun(both, 'c1');
    await client.send(both.job, 'c1', command);
    expect(await learned(both, 'p', 1)).toEqual([noted]);
  });

  it('that is cancelled is an event of its parent, also of one that is paused', async () => {
    const both = family('cancelled');
    await run([both.parent, both.job]);
    await client.send(both.parent, 'p', { type: 'start', id: 'c1' });
    await begun(both, 'c1');
    await pauseWorkflow(db, { tenant: 'default', workflow: both.parent.name, id: 'p' });
    await cancelWorkflow(db, { tenant: 'default', workflow: both.job.name, id: 'c1' });
    expect(await learned(both, 'p', 1)).toEqual(['c1 cancelled']);
  });

  it('that does not begin has failed', async () => {
    const both = family('refused');
    await run([both.parent, both.job]);
    await client.send(both.parent, 'p', { type: 'start', id: 'c1', begin: { type: 'refuse' } });
    expect(await learned(both, 'p', 1)).toEqual(['c1 failed: Its first command was rejected: not today']);
    await client.send(both.parent, 'p', { type: 'start', id: 'c2', begin: { type: 'do nothing' } });
    expect((await learned(both, 'p', 2))[1]).toBe('c2 failed: Its first command led to no events.');
  });

  it('has failed if its id is taken, by a workflow, by a child of another or by one of its own', async () => {
    const both = family('taken');
    await client.send(both.job, 'own', { type: 'begin' });
    await run([both.parent, both.job]);
    await client.send(both.parent, 'p1', { type: 'start', id: 'own' });
    expect(await learned(both, 'p1', 1)).toEqual([
      'own failed: There is a taken-job own already; a child needs an id of its own.',
    ]);
    await client.send(both.parent, 'p1', { type: 'start', id: 'c' });
    await begun(both, 'c');
    await client.send(both.parent, 'p2', { type: 'start', id: 'c' });
    await client.send(both.parent, 'p1', { type: 'start', id: 'c' });
    expect(await learned(both, 'p2', 1)).toEqual([expect.stringContaining('c failed: There is')]);
    expect((await learned(both, 'p1', 2))[1]).toContain('c failed: There is');
    await client.send(both.parent, 'p2', { type: 'end' }); // not his to cancel
    await client.send(both.job, 'c', { type: 'finish', result: 'well' });
    expect((await learned(both, 'p1', 3))[2]).toBe('c completed: well');
    expect(await client.state(both.job, 'own')).toMatchObject({ version: 1, status: 'running' });
  });

  it('has failed if its id was taken after it was started, and leaves that workflow alone', async () => {
    const both = family('late');
    await run([both.parent]); // no runner serves the child's kind yet
    await client.send(both.parent, 'p', { type: 'start', id: 'own' });
    await client.send(both.parent, 'q', { type: 'start', id: 'own, too' });
    const started = () => many(db, 'select from message where workflow = $1', [both.job.name]);
    await until(async () => (await started()).length === 2);
    await client.send(both.job, 'own', { type: 'begin' });
    await client.send(both.job, 'own, too', { type: 'begin' });
    await db.query(
      `update message set due_at = clock() + interval '1 hour' where workflow = $1 and workflow_id = 'own, too'`,
      [both.job.name],
    );
    await run([both.job]);
    expect(await learned(both, 'p', 1)).toEqual([
      'own failed: There is a late-job own already; a child needs an id of its own.',
    ]);
    await client.send(both.parent, 'p', { type: 'end' });
    await client.send(both.parent, 'q', { type: 'end' });
    await until(async () => (await started()).length === 0);
    expect(
      await many(db, 'select outcome, refused from child where workflow = $1 order by id', [both.job.name]),
    ).toEqual([
      { outcome: 'failed', refused: true },
      { outcome: 'cancelled', refused: true },
    ]);
    expect(await client.state(both.job, 'own')).toMatchObject({ version: 1, status: 'running' });
    expect(await client.state(both.job, 'own, too')).toMatchObject({ version: 1, status: 'running' });
  });

  it('that has not begun does not end when the workflow that has taken its id ends', async () => {
    const both = family('ended');
    await run([both.parent]);
    await client.send(both.parent, 'p', { type: 'start', id: 'own' });
    const started = () => many(db, 'select from message where workflow = $1', [both.job.name]);
    await until(async () => (await started()).length === 1);
    await client.send(both.job, 'own', { type: 'begin' });
    await cancelWorkflow(db, { tenant: 'default', workflow: both.job.name, id: 'own' });
    await run([both.job]);
    expect(await learned(both, 'p', 1)).toEqual([expect.stringContaining('own failed: There is')]);
  });

  it('that was rejected has used its id, though there is no such workflow', async () => {
    const both = family('used');
    await run([both.parent, both.job]);
    await client.send(both.parent, 'p', { type: 'start', id: 'c', begin: { type: 'refuse' } });
    await learned(both, 'p', 1);
    await client.send(both.parent, 'p', { type: 'start', id: 'c' });
    expect((await learned(both, 'p', 2))[1]).toBe(
      'c failed: The id c was used by an earlier child of the kind used-job; a child needs an id of its own.',
    );
  });

  it('of two that are started with one id in one batch is the first', async () => {
    const both = family('batch');
    await client.sendAll(both.parent, [
      { id: 'p', command: { type: 'start', id: 'c' } },
      { id: 'p', command: { type: 'start', id: 'c' } },
      { id: 'p', command: { type: 'start', id: 'd' } },
    ]);
    await run([both.parent, both.job]);
    expect(await learned(both, 'p', 1)).toEqual([expect.stringContaining('c failed')]);
    await begun(both, 'c');
    await begun(both, 'd');
    expect(await client.state(both.job, 'c')).toMatchObject({ version: 1 });
  });

  it('is cancelled with its own children when its parent ends, unless it was abandoned', async () => {
    const both = family('ends');
    await run([both.parent, both.job]);
    await client.send(both.parent, 'p', { type: 'start', id: 'kept', onParentEnd: 'abandon' });
    await client.send(both.parent, 'p', { type: 'start', id: 'c' });
    await begun(both, 'c');
    await begun(both, 'kept');
    await client.send(both.job, 'c', { type: 'start', id: 'grandchild' });
    await begun(both, 'grandchild');
    await client.send(both.job, 'grandchild', { type: 'start', id: 'left', onParentEnd: 'abandon' });
    await begun(both, 'left');
    await client.send(both.parent, 'p', { type: 'end' });
    await until(async () => (await statusOf(both, 'grandchild')) === 'cancelled');
    expect(await statusOf(both, 'c')).toBe('cancelled');
    expect(await client.send(both.job, 'left', { type: 'finish', result: 'alone' })).toMatchObject({
      outcome: 'accepted',
    });
    await client.send(both.job, 'kept', { type: 'finish', result: 'late' });
    expect(await client.result(both.job, 'kept', { timeout: { seconds: 20 } })).toBe('late');
    expect(await client.state(both.parent, 'p')).toMatchObject({ status: 'completed', state: [] });
  });

  it('that has not begun when its parent is cancelled never begins', async () => {
    const both = family('early');
    await run([both.parent]);
    await client.send(both.parent, 'p', { type: 'start', id: 'c' });
    const messages = () => many(db, 'select from message where workflow = $1', [both.job.name]);
    await until(async () => (await messages()).length === 1);
    await cancelWorkflow(db, { tenant: 'default', workflow: both.parent.name, id: 'p' });
    const outcomes = async () =>
      many(db, 'select outcome, cancel_at is not null as due from child where workflow = $1', [
        both.job.name,
      ]);
    expect(await outcomes()).toEqual([{ outcome: null, due: true }]);
    // Its first command may be delivered before it is cancelled: then it has begun, and is cancelled.
    await db.query(`update message set due_at = clock() + interval '1 hour' where workflow = $1`, [
      both.job.name,
    ]);
    await run([both.job]);
    await until(async () => (await messages()).length === 0);
    expect(await outcomes()).toEqual([{ outcome: 'cancelled', due: true }]);
    expect(await client.state(both.job, 'c')).toBeNull();
  });

  it('belongs to the tenant of its parent', async () => {
    const both = family('tenants');
    await run([both.parent, both.job]);
    const other = new WorkflowClient(db, 'other');
    await client.send(both.parent, 'p', { type: 'start', id: 'c' });
    await other.send(both.parent, 'p', { type: 'start', id: 'c' });
    await begun(both, 'c');
    await begun(both, 'c', other);
    await other.send(both.job, 'c', { type: 'finish', result: 'theirs' });
    expect(await learned(both, 'p', 1, other)).toEqual(['c completed: theirs']);
    expect(await client.state(both.parent, 'p')).toMatchObject({ state: [] });
  });

  it('is shown with its parent, and the parent with its children', async () => {
    const both = family('shown');
    await run([both.parent, both.job]);
    await client.send(both.parent, 'p', { type: 'start', id: 'c' });
    await begun(both, 'c');
    const address = { tenant: 'default', workflow: both.job.name, id: 'c' };
    expect((await describeWorkflow(db, address)).parent).toMatchObject({
      workflow: both.parent.name,
      id: 'p',
    });
    await client.send(both.job, 'c', { type: 'give up' });
    await learned(both, 'p', 1);
    const { children } = await describeWorkflow(db, { ...address, workflow: both.parent.name, id: 'p' });
    expect(children).toMatchObject([{ id: 'c', outcome: 'failed', error: 'it is too much' }]);
    expect((await describeWorkflow(db, address)).head).toMatchObject({
      failure: 'it is too much',
      status: 'completed',
    });
  });
});

describe('two runners that hold one part for a moment', () => {
  it('append the end of a child once', async () => {
    const both = family('two');
    await client.send(both.parent, 'p', { type: 'start', id: 'c' });
    await run([both.parent, both.job]);
    await begun(both, 'c');
    await runners.pop()!.stop();
    await cancelWorkflow(db, { tenant: 'default', workflow: both.job.name, id: 'c' });
    const mine = { parts: [0], total: 1 };
    const met = Promise.withResolvers<void>();
    let reading = 0;
    const together: Database = {
      ...db,
      tx: async (work) => {
        if (++reading === 2) met.resolve();
        await met.promise; // both have read the pending event
        return db.tx(work);
      },
    };
    const tend = () => syncChildren(together, both.parent, mine, () => {});
    expect(await Promise.all([tend(), tend()])).toMatchObject([{ children: 1 }, { children: 1 }]);
    expect((await client.state(both.parent, 'p'))?.state).toEqual(['c cancelled']);
  });
});

describe('whatever statement breaks off, before or after its commit,', () => {
  it('each child begins once, and its end is one event of its parent', async () => {
    const both = family('broken');
    let [seed, faults] = [20, 0];
    const isStruck = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 12 === 0;
    };
    const struck = () => {
      if (!isStruck()) return;
      faults++;
      throw new SeineError('conflict', 'broken off', { retry: true });
    };
    const breaking =
      (query: Queryable['query']): Queryable['query'] =>
      async (...asked) => {
        struck();
        return query(...asked);
      };
    const fragile: Database = {
      ...db,
      async tx(work) {
        const result = await db.tx((tx) => work({ ...tx, query: breaking(tx.query) }));
        struck();
        return result;
      },
    };
    await run([both.parent, both.job], fragile);
    await run([both.parent, both.job], fragile);
    const ids = Array.from({ length: 20 }, (_, n) => `c${n}`);
    await client.sendAll(
      both.parent,
      ids.map((id) => ({ id: `p-${id}`, command: { type: 'start', id } })),
    );
    for (const id of ids) await begun(both, id);
    await client.sendAll(
      both.job,
      ids.map((id) => ({ id, command: { type: 'start', id: `${id}-grand` } })),
    );
    for (const id of ids) await begun(both, `${id}-grand`);
    const [finished, ended, failed] = [ids.slice(0, 7), ids.slice(7, 14), ids.slice(14)];
    await client.sendAll(both.job, [
      ...finished.map((id) => ({ id, command: { type: 'finish' as const, result: id } })),
      ...failed.map((id) => ({ id, command: { type: 'give up' as const } })),
    ]);
    await client.sendAll(
      both.parent,
      ended.map((id) => ({ id: `p-${id}`, command: { type: 'end' } })),
    );
    for (const id of finished) expect(await learned(both, `p-${id}`, 1)).toEqual([`${id} completed: ${id}`]);
    for (const id of failed)
      expect(await learned(both, `p-${id}`, 1)).toEqual([`${id} failed: it is too much`]);
    for (const id of ids) await until(async () => (await statusOf(both, `${id}-grand`)) === 'cancelled');
    await until(
      async () =>
        (await many(db, `select from child where told_at is null and workflow = $1`, [both.job.name]))
          .length === 0,
    );
    const twice = await many(
      db,
      `select workflow_key, type from event
       where workflow like 'broken-%' and (type like 'job.%' or type in ('begun', 'workflow.cancelled'))
       group by workflow_key, type having count(*) > 1`,
    );
    expect(twice).toEqual([]);
    expect(faults).toBeGreaterThan(20);
  });
});
