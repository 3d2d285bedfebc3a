/** What is there to do is done at once: no test here leaves time for the poll interval. */
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { type Database, many, one } from '../../db/database.ts';
import { WorkflowClient } from '../client.ts';
import { type Command, handleCommands } from '../commands/handle.ts';
import { type AnyWorkflow, defineWorkflow } from '../define.ts';
import { defineProjection } from '../projections/projection.ts';
import { type Runner, type RunnerOptions, startRunner } from './runner.ts';

let db: Database & { url: string };
const runners: Runner[] = [];
beforeAll(async () => {
  db = await freshDatabase(12);
  await db.query('create table public.shown (workflow text, id text, version bigint)');
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
});
afterAll(() => db.close());

const tenant = 'default';
const run = (id: string): Command => ({ tenant, id, command: { type: 'noted' } as never });

/** Without effects: nothing else wakes the runner. */
function quiet(name: string, version = 1) {
  return defineWorkflow<number, { type: 'noted' }, { type: 'noted' }>({
    name,
    version,
    ...(version > 1 && { upcast: { 1: (event) => event as { type: 'noted' } } }),
    initial: () => 0,
    decide: (_, command) => command,
    evolve: (count) => count + 1,
  });
}

/** Polls after an hour. */
async function start(workflow: AnyWorkflow, options: Partial<RunnerOptions> = {}): Promise<Runner> {
  const limits = { leaseMs: 60_000, pollMs: 3_600_000 };
  const runner = await startRunner(db, { workflows: [workflow], ...limits, ...options });
  runners.push(runner);
  return runner;
}

async function reactedTo(workflow: string): Promise<number> {
  const { n } = await one<{ n: number }>(
    db,
    'select coalesce(sum(reaction.version), 0)::integer as n from reaction join workflow on key = workflow_key where name = $1',
    [workflow],
  );
  return n;
}

describe('without a poll', () => {
  it('a round of few events is followed by the next one until nothing is left', async () => {
    const workflow = quiet('narrow');
    const sent = Array.from({ length: 60 }, (_, n) => run(`w${n % 20}`));
    await handleCommands(db, workflow, sent);
    await start(workflow, { eventsAtOnce: 7 });
    await waitUntil('60 events are reacted to', async () => (await reactedTo('narrow')) >= 60);
  });

  it.each(['slots', 'static'])('the same in one of few partitions: %s', async (how) => {
    const name = `narrow-${how}`;
    const workflow = quiet(name);
    const sent = Array.from({ length: 30 }, () => run('one'));
    await handleCommands(db, workflow, sent);
    await start(workflow, { eventsAtOnce: 3, partition: how === 'static' ? { index: 0, total: 1 } : null });
    await waitUntil('30 events are reacted to', async () => (await reactedTo(name)) >= 30);
  });

  it('a slot with an event of newer code goes to a runner that has it', async () => {
    const name = 'needs-newer';
    const older = await start(quiet(name));
    const newer = await start(quiet(name, 2));
    const parts = (runner: Runner) => runner.holds()[0]!.parts;
    await waitUntil('each holds slots', () => parts(older) > 0 && parts(newer) > 0);
    const client = new WorkflowClient(db);
    const ids = Array.from({ length: 40 }, (_, n) => `w${n}`);
    await client.sendAll(
      quiet(name, 2),
      ids.map((id) => ({ id, command: { type: 'noted' } })),
    );
    await waitUntil('newer code reacts to all', async () => (await reactedTo(name)) >= 40);
  });

  it('a projection applies an event that an open transaction hid', async () => {
    const workflow = quiet('hidden-from-projection');
    const projection = defineProjection({
      name: 'shown',
      from: [workflow],
      init: () => {},
      reset: () => {},
      apply: (tx, { workflow: of, id, version }) =>
        tx.query('insert into public.shown values ($1, $2, $3)', [of, id, version]),
    });
    await start(workflow, { projections: [projection], pollMs: 3_600_000 });
    const client = new WorkflowClient(db);
    const shown = () => many(db, 'select 1 from public.shown where version = 1');
    await client.send(workflow, 'first', { type: 'noted' });
    await waitUntil('the projection runs', async () => (await shown()).length === 1);
    await db.tx(async (tx) => {
      await tx.query('select pg_current_xact_id()');
      await client.send(workflow, 'w', { type: 'noted' });
      await new Promise((resolve) => setTimeout(resolve, 500)); // the projection has looked meanwhile
    });
    await waitUntil('the hidden event is applied', async () => (await shown()).length === 2);
  });
});
