import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/pool.ts';
import { purgeWorkflows } from '../archive/purge.ts';
import { WorkflowClient } from '../client.ts';
import { cancelWorkflow } from '../control/control.ts';
import { reject } from '../decision.ts';
import { defineWorkflow } from '../define.ts';
import { act, complete, fail } from '../effects.ts';
import { type Runner, startRunner } from '../runner/runner.ts';

interface State {
  readonly count: number;
  readonly doubled: number | null;
}
type Command =
  | { type: 'count'; by: number }
  | { type: 'double' }
  | { type: 'end'; result?: unknown }
  | { type: 'give up' };
type Event =
  | { type: 'counted'; by: number }
  | { type: 'asked'; n: number }
  | { type: 'doubler.done'; result: number }
  | { type: 'ended'; result?: unknown }
  | { type: 'given up' };

function tally(name: string) {
  return defineWorkflow<State, Command, Event>({
    name,
    initial: () => ({ count: 0, doubled: null }),
    decide: (state, command) => {
      if (command.type === 'count')
        return command.by < 0 ? reject('below zero') : { ...command, type: 'counted' };
      if (command.type === 'double') return { type: 'asked', n: state.count };
      return command.type === 'give up' ? { type: 'given up' } : { ...command, type: 'ended' };
    },
    evolve: (state, event) => {
      if (event.type === 'counted') return { ...state, count: state.count + event.by };
      return event.type === 'doubler.done' ? { ...state, doubled: event.result } : state;
    },
    react: (event) => {
      if (event.type === 'asked') return act('doubler', event.n);
      if (event.type === 'given up') return fail('no more strength');
      return event.type === 'ended' ? complete(event.result) : [];
    },
    actions: { doubler: async (n: number) => 2 * n },
  });
}

let db: Database & { url: string };
let runner: Runner | null = null;
const opened: WorkflowClient[] = [];
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterEach(async () => {
  await runner?.stop();
  runner = null;
  for (const one of opened.splice(0)) await one.close();
});
afterAll(() => db.close());

const deadline = { timeout: { seconds: 20 } };

async function client(): Promise<WorkflowClient> {
  const one = new WorkflowClient(await openDatabase({ databaseUrl: db.url, max: 3 }));
  opened.push(one);
  return one;
}

async function run(workflow: ReturnType<typeof tally>): Promise<void> {
  runner = await startRunner(db, { workflows: [workflow], pollMs: 100 });
}

describe('the result of a workflow', () => {
  it.each([
    ['an object', { euros: 5, lines: ['a', null] }],
    ['a text', 'paid'],
    ['nothing', undefined],
  ])('is %s that it completed with, for those who waited and those who come later', async (what, result) => {
    const workflow = tally(`result-${what.replaceAll(' ', '-')}`);
    await run(workflow);
    const one = await client();
    await one.send(workflow, 'a', { type: 'count', by: 1 });
    const waiting = one.result(workflow, 'a', deadline);
    await one.send(workflow, 'a', { type: 'end', result });
    expect(await waiting).toEqual(result ?? null);
    expect(await one.result(workflow, 'a')).toEqual(result ?? null);
  });

  it('is an error if it failed, was cancelled or never began', async () => {
    const workflow = tally('errors');
    await run(workflow);
    const one = await client();
    await one.send(workflow, 'failing', { type: 'give up' });
    await expect(one.result(workflow, 'failing', deadline)).rejects.toThrow(
      'errors failing failed: no more strength',
    );
    await one.send(workflow, 'cancelled', { type: 'count', by: 1 });
    const waiting = one.result(workflow, 'cancelled', deadline).catch((error) => error);
    await cancelWorkflow(db, { tenant: 'default', workflow: 'errors', id: 'cancelled' });
    expect(await waiting).toMatchObject({ kind: 'conflict', message: 'errors cancelled was cancelled.' });
    await expect(one.result(workflow, 'unknown', deadline)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('is waited for until the timeout, and not after the signal', async () => {
    const workflow = tally('deadline');
    const one = await client();
    await one.send(workflow, 'a', { type: 'count', by: 1 });
    await expect(one.result(workflow, 'a', { timeout: 30 })).rejects.toMatchObject({
      kind: 'limit',
      retry: true,
    });
    const abort = new AbortController();
    const waiting = one.result(workflow, 'a', { signal: abort.signal });
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(one.result(workflow, 'a', { signal: abort.signal })).rejects.toThrow('enough');
  });

  it('is not waited for with a time that is none, and then no command is sent', async () => {
    const workflow = tally('mistyped');
    const one = await client();
    const timeout = { second: 30 } as object;
    const sentence = 'The wait has the timeout {"second":30}: there is no unit "second".';
    await expect(one.result(workflow, 'a', { timeout })).rejects.toThrow(sentence);
    await expect(one.update(workflow, 'a', { type: 'count', by: 1 }, { timeout })).rejects.toThrow(sentence);
    expect(await one.state(workflow, 'a')).toBe(null);
  });

  it('is not waited for any more when the client is closed', async () => {
    const workflow = tally('left');
    const one = new WorkflowClient(await openDatabase({ databaseUrl: db.url, max: 3 }));
    await one.send(workflow, 'a', { type: 'count', by: 1 });
    const waiting = one.result(workflow, 'a').catch((error) => error.message);
    await one.close();
    expect(await waiting).toContain('closed');
  });

  it('is queried by one statement for all waits, through outages too', async () => {
    const workflow = tally('many');
    await run(workflow);
    const ids = Array.from({ length: 200 }, (_, n) => `w-${n}`);
    let [queries, away] = [0, false];
    const own = await openDatabase({ databaseUrl: db.url, max: 3 });
    const { query } = own;
    const counting: Database = {
      ...own,
      query: (sql, params, name) => {
        if (name === 'workflow_standings') queries++;
        if (away) return query('select 1 / 0').catch(() => Promise.reject(outage)) as never;
        return query(sql, params, name);
      },
    };
    const { SeineError } = await import('../../base/errors.ts');
    const outage = new SeineError('unavailable', 'away');
    const one = new WorkflowClient(counting);
    opened.push(one);
    const each = (type: 'count' | 'end') =>
      ids.map((id) => ({ id, command: { type, by: 1, result: id } as Command }));
    await one.sendAll(workflow, each('count'));
    away = true;
    const waiting = ids.map((id) => one.result(workflow, id, deadline));
    await waitUntil('the first query', () => queries !== 0);
    away = false;
    await one.sendAll(workflow, each('end'));
    expect(await Promise.all(waiting)).toEqual(ids);
    expect(queries).toBeLessThan(ids.length);
  });
});

describe('an update', () => {
  it('waits until its events were reacted to', async () => {
    const workflow = tally('update');
    const one = await client();
    const updating = one.update(workflow, 'a', { type: 'count', by: 3 }, deadline);
    let isOver = false;
    void updating.then(() => {
      isOver = true;
    });
    await waitUntil('the workflow to exist', async () => (await one.state(workflow, 'a')) !== null);
    expect(isOver).toBe(false); // no runner runs it
    await run(workflow);
    expect(await updating).toMatchObject({ outcome: 'accepted', version: 1, state: { count: 3 } });
  });

  it('waits until the state is so', async () => {
    const workflow = tally('until');
    await run(workflow);
    const one = await client();
    await one.send(workflow, 'a', { type: 'count', by: 21 });
    const until = ({ doubled }: State) => doubled !== null;
    const updated = await one.update(
      workflow,
      'a',
      { type: 'double' },
      { ...deadline, until, commandId: 'x' },
    );
    expect(updated).toMatchObject({
      outcome: 'accepted',
      version: 3,
      status: 'running',
      state: { doubled: 42 },
    });
    const again = await one.update(workflow, 'a', { type: 'double' }, { ...deadline, until, commandId: 'x' });
    expect(again).toMatchObject({ outcome: 'repeated', version: 3, state: { doubled: 42 } });
  });

  it('that is rejected is answered at once', async () => {
    const workflow = tally('rejected');
    const one = await client();
    expect(await one.update(workflow, 'a', { type: 'count', by: -1 })).toEqual({
      outcome: 'rejected',
      reason: 'below zero',
    });
  });

  it('fails if the workflow ends before its state is so, or if the condition throws', async () => {
    const workflow = tally('never');
    await run(workflow);
    const one = await client();
    const until = () => false;
    await expect(one.update(workflow, 'a', { type: 'end' }, { ...deadline, until })).rejects.toThrow(
      'is completed, and its state does not satisfy `until`',
    );
    const wrong = () => {
      throw new Error('mistaken');
    };
    await expect(
      one.update(workflow, 'b', { type: 'count', by: 1 }, { ...deadline, until: wrong }),
    ).rejects.toThrow('mistaken');
  });

  it('says why it takes long if the workflow is parked', async () => {
    const odd = () => {
      throw new Error('odd');
    };
    const workflow = { ...tally('parked'), react: odd };
    const one = await client();
    runner = await startRunner(db, { workflows: [workflow], pollMs: 50, parkAfter: 1 });
    const updating = one.update(workflow, 'a', { type: 'count', by: 1 }, { timeout: { seconds: 2 } });
    await parked('a');
    await expect(updating).rejects.toThrow('It is parked');
  });
});

async function parked(id: string): Promise<void> {
  const sql =
    'select from reaction join workflow on key = workflow_key where id = $1 and parked_at is not null';
  await waitUntil('the reaction to be parked', async () => (await db.query(sql, [id])).rowCount !== 0);
}

describe('a result or an error that cannot be kept', () => {
  it.each([
    ['a result that is no JSON', { result: 5n }],
    ['a result that is too large', { result: 'x'.repeat(300_000) }],
  ])('parks its workflow alone: %s', async (what, { result }) => {
    const workflow = {
      ...tally(`kept-${what.length}`),
      react: (event: Event) => (event.type === 'ended' ? complete(event.result ? result : 'well') : []),
    };
    runner = await startRunner(db, { workflows: [workflow], pollMs: 50, parkAfter: 1 });
    const one = await client();
    await one.sendAll(workflow, [
      { id: 'bad', command: { type: 'end', result: true } },
      { id: 'good', command: { type: 'end' } },
    ]);
    expect(await one.result(workflow, 'good', deadline)).toBe('well');
    await parked('bad');
    await expect(one.result(workflow, 'bad', { timeout: 500 })).rejects.toThrow('It is parked');
  });
});

describe('what is waited for', () => {
  it('is gone after a purge, and that is said', async () => {
    const workflow = tally('purged');
    const one = await client();
    runner = await startRunner(db, { workflows: [workflow], pollMs: 50 });
    await one.send(workflow, 'a', { type: 'end', result: { euros: 5 } }, { commandId: 'end' });
    expect(await one.result(workflow, 'a', deadline)).toEqual({ euros: 5 });
    await db.query(`update workflow set changed_at = clock() - interval '1 day' where name = 'purged'`);
    const isPurged = async () =>
      (await purgeWorkflows(db, { tenant: 'default', olderThanMs: 1000 })).workflows > 0;
    await expect.poll(isPurged, { timeout: 30_000 }).toBe(true);
    await expect(one.result(workflow, 'a', deadline)).rejects.toThrow('was purged: its result is gone');
    await expect(one.state(workflow, 'a')).rejects.toThrow('were archived or purged');
    expect(await one.send(workflow, 'a', { type: 'end' }, { commandId: 'end' })).toMatchObject({
      outcome: 'repeated',
    });
  });

  it('must not return a promise', async () => {
    const workflow = tally('promised');
    const one = await client();
    runner = await startRunner(db, { workflows: [workflow], pollMs: 50 });
    const until = (async () => Promise.reject(new Error('late'))) as never;
    await expect(one.update(workflow, 'a', { type: 'count', by: 1 }, { until, ...deadline })).rejects.toThrow(
      'until of promised a failed on the state: it returned a promise',
    );
  });
});
