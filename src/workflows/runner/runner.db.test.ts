import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { type Database, many, one } from '../../db/database.ts';
import { WorkflowClient } from '../client.ts';
import { type Command, handleCommands } from '../commands/handle.ts';
import type { AnyWorkflow } from '../define.ts';
import { act, cancelAction, every } from '../effects.ts';
import { actionStates, errand } from './errand.fixture.ts';
import { type Runner, type RunnerOptions, startRunner } from './runner.ts';

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
const run = (id: string, n: number): Command => ({ tenant, id, command: { type: 'run', n } as never });

/** Longer than the machine may stall: expired work would be reacted to, and done, by two. */
const leaseMs = 60_000;

async function start(workflow: AnyWorkflow, options: Partial<RunnerOptions> = {}): Promise<Runner> {
  const runner = await startRunner(db, { workflows: [workflow], leaseMs, pollMs: 50, ...options });
  runners.push(runner);
  return runner;
}

async function until(what: () => Promise<boolean>): Promise<void> {
  await waitUntil(String(what), async () => await what());
}

const done = (workflow: string, n: number) => async () => {
  const events = await one<{ n: number }>(
    db,
    `select count(*) as n from event where workflow = $1 and type = 'work.done'`,
    [workflow],
  );
  return events.n >= n;
};

const reactedTo = (workflow: string) => async () => {
  const behind = await one<{ n: number }>(
    db,
    `select count(*) as n from workflow left join reaction on workflow_key = key
     where name = $1 and workflow.version > coalesce(reaction.version, 0)`,
    [workflow],
  );
  return behind.n === 0;
};

describe('a runner', () => {
  it('reacts to an event that an open transaction hid, although its end is not notified', async () => {
    const workflow = errand({ name: 'hidden' });
    await start(workflow, { pollMs: 3_600_000 });
    const client = new WorkflowClient(db);
    await db.tx(async (tx) => {
      await tx.query('select pg_current_xact_id()');
      await client.send(workflow, 'w', { type: 'run', n: 1 } as never);
      await new Promise((resolve) => setTimeout(resolve, 100)); // the runner has looked meanwhile
    });
    await until(done('hidden', 1));
  });

  it('reacts to events, runs the actions, and their results are events again', async () => {
    const workflow = errand({ name: 'simple' });
    await start(workflow);
    await handleCommands(
      db,
      workflow,
      Array.from({ length: 20 }, (_, n) => run(`w${n}`, n)),
    );
    await until(done('simple', 20));
    await until(reactedTo('simple'));
    expect(await actionStates(db, 'simple')).toEqual({ done: 20 });
  });

  it('writes the key of a requested action, and its limit key', async () => {
    const charged: string[] = [];
    const workflow: AnyWorkflow = {
      ...errand({ name: 'keyed' }),
      react: (event: { type: string; n: number }) =>
        event.type === 'asked'
          ? act('charge', { customer: `c${event.n}` }, { key: `payment-${event.n}` })
          : [],
      actions: {
        charge: {
          run: async (_: unknown, { idempotencyKey }) => void charged.push(idempotencyKey),
          concurrency: 1,
          limitKey: ({ customer }: { customer: string }) => customer,
        },
      },
    };
    await handleCommands(db, workflow, [run('a', 1), run('a', 1), run('b', 2)]);
    await start(workflow);
    await until(reactedTo('keyed'));
    await until(
      async () => (await actionStates(db, 'keyed')).done === charged.length && charged.length === 2,
    );
    const stored = await many(
      db,
      `select idempotency_key as key, limit_key as "limitKey" from action where workflow = 'keyed' and error is null order by id`,
    );
    expect(stored).toEqual(
      expect.arrayContaining([
        { key: 'payment-1', limitKey: 'c1' },
        { key: 'payment-2', limitKey: 'c2' },
      ]),
    );
    expect(charged.sort()).toEqual(['payment-1', 'payment-2']);
  });

  it('reacts to what happened before it came', async () => {
    const workflow = errand({ name: 'before' });
    await handleCommands(db, workflow, [run('a', 1), run('a', 2), run('b', 3)]);
    await start(workflow);
    await until(done('before', 3));
    expect(await actionStates(db, 'before')).toEqual({ done: 3 });
  });

  it('shares with others, each event and each action once, in order within each workflow', async () => {
    const seen = new Map<string, number[]>();
    const effects = new Map<string, number>();
    const workflow = errand({
      name: 'shared',
      reacting: (_, id, version) => seen.set(id, [...(seen.get(id) ?? []), version]),
      work: async ({ n }, { idempotencyKey }) => {
        effects.set(idempotencyKey, (effects.get(idempotencyKey) ?? 0) + 1);
        return n;
      },
    });
    const three = await Promise.all([start(workflow), start(workflow), start(workflow)]);
    const share = () => three.map((runner) => runner.holds()[0]!.parts).sort();
    await until(async () => share().join() === '84,86,86');
    for (let n = 0; n < 5; n++)
      await handleCommands(
        db,
        workflow,
        Array.from({ length: 60 }, (_, i) => run(`w${i}`, n)),
      );
    await until(done('shared', 300));
    await until(reactedTo('shared'));
    expect([...effects.values()].every((times) => times === 1)).toBe(true);
    expect(effects.size).toBe(300);
    for (const versions of seen.values()) expect(versions).toEqual(versions.map((_, i) => i + 1));
    expect(three.every(({ counts }) => counts.events > 0)).toBe(true);
  });

  it('releases slots when another joins, and takes them over when one leaves', async () => {
    const workflow = errand({ name: 'moving' });
    const first = await start(workflow);
    await until(async () => first.holds()[0]!.parts === 256);
    const second = await start(workflow);
    await until(async () => first.holds()[0]!.parts === 128 && second.holds()[0]!.parts === 128);
    await runners.pop()!.stop();
    await until(async () => first.holds()[0]!.parts === 256);
  });

  it('parks a workflow whose event fails repeatedly, and the others continue', async () => {
    const workflow = errand({
      name: 'poison',
      reacting: (event) => {
        if (event.type === 'asked' && event.n === 13) throw new Error('unlucky');
      },
    });
    const said: string[] = [];
    await start(workflow, { parkAfter: 3, say: (sentence) => said.push(sentence) });
    await handleCommands(db, workflow, [
      run('bad', 1),
      run('bad', 13),
      run('bad', 2),
      run('good', 1),
      run('good', 2),
    ]);
    await until(done('poison', 3));
    const parked = `select id, reaction.version, attempts, error from reaction join workflow on key = workflow_key
                    where name = 'poison' and parked_at is not null`;
    await until(async () => (await many(db, parked)).length === 1);
    expect(await many(db, parked)).toEqual([
      {
        id: 'bad',
        version: 1,
        attempts: 3,
        error: expect.stringMatching(/^react of poison bad failed on event 2 \(asked\): unlucky\./),
      },
    ]);
    expect(said).toContainEqual(
      expect.stringMatching(
        /^poison bad is parked: react of poison bad .*Then run: seine workflows retry poison bad$/,
      ),
    );
  });

  it('continues a parked workflow where it stopped, when it is retried', async () => {
    let healed = false;
    const seen: number[] = [];
    const workflow = errand({
      name: 'healed',
      reacting: (event, id, version) => {
        if (id === 'bad' && event.type === 'asked' && event.n === 13 && !healed) throw new Error('unlucky');
        if (id === 'bad') seen.push(version);
      },
    });
    await start(workflow, { parkAfter: 1 });
    await handleCommands(db, workflow, [run('bad', 1), run('bad', 13), run('bad', 2)]);
    const parked = `select from reaction join workflow on key = workflow_key
                    where name = 'healed' and parked_at is not null`;
    await until(async () => (await many(db, parked)).length > 0);
    healed = true;
    await db.query(
      `update reaction set parked_at = null, retry_at = clock(), attempts = 0
       from workflow where key = workflow_key and name = 'healed'`,
    );
    await until(done('healed', 3));
    await until(reactedTo('healed'));
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('keeps the order of a workflow when a transaction that began earlier appends later', async () => {
    const seen: number[] = [];
    const workflow = errand({ name: 'crossed', reacting: (_, __, version) => seen.push(version) });
    await handleCommands(db, workflow, [run('a', 1)]);
    await db.tx(async (early) => {
      await early.query('select pg_current_xact_id()');
      await handleCommands(db, workflow, [run('a', 2)]);
      await handleCommands(early, workflow, [run('a', 3)]);
    });
    const order = await many<{ version: number }>(
      db,
      `select version from event where workflow = 'crossed' order by event.xid, position`,
    );
    expect(order.map(({ version }) => version)).toEqual([1, 3, 2]);
    await start(workflow);
    await until(done('crossed', 3));
    await until(reactedTo('crossed'));
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('what reactions ask for', () => {
  it('counts in order: an action cancelled again is not run, one requested afterwards is', async () => {
    const workflow = errand({
      name: 'order',
      more: (event) => (event.type === 'asked' ? [act('work', { n: -1 }), cancelAction('work')] : []),
    });
    await start(workflow);
    await handleCommands(db, workflow, [run('a', 1), run('b', 2)]);
    await until(done('order', 2));
    await until(reactedTo('order'));
    const inputs = await many<{ n: number }>(
      db,
      `select (input->>'n')::integer as n from action where workflow = 'order' and state = 'done'`,
    );
    expect(inputs.map(({ n }) => n).sort()).toEqual([1, 2]);
  });

  it('that cannot be written parks its own workflow, and delays no other', async () => {
    const workflow = errand({
      name: 'unwritable',
      more: (event) =>
        event.type === 'asked' && event.n === 13 ? [every('never', 'Nowhere', { type: 'end' })] : [],
    });
    await start(workflow, { parkAfter: 1 });
    await handleCommands(db, workflow, [run('bad', 13), run('good', 1)]);
    await until(done('unwritable', 1));
    const parked = `select error from reaction join workflow on key = workflow_key where name = 'unwritable' and parked_at is not null`;
    await until(async () => (await many(db, parked)).length === 1);
  });
});
