/** What older code must not do with workflows that newer code has written to, and what it goes on doing. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many, one } from '../../db/database.ts';
import { partitionOf } from '../../events/hash.ts';
import { WorkflowClient } from '../client.ts';
import { signalWorkflow } from '../control/signal.ts';
import type { OldEvent } from '../define.ts';
import { defineWorkflow } from '../define.ts';
import { act, after, type Effect, subscribe } from '../effects.ts';
import { handleCommands, unlessFailed } from '../handle.ts';
import { partitionStatus } from '../look/partition-status.ts';
import { whatIsLeft } from '../look/partition-store.ts';
import { showWorkflow } from '../look/show-workflow.ts';
import { type Runner, type RunnerOptions, startRunner } from '../runner/runner.ts';
import { replay, simulate } from '../simulate.ts';

let db: Database & { url: string };
let name = '';
let tests = 0;
const runners: Runner[] = [];
/** Which code was asked what: `2 react due`. */
let calls: string[] = [];
beforeAll(async () => {
  db = await freshDatabase(30);
});
afterAll(() => db.close());
beforeEach(() => {
  name = `bill${tests++}`;
  calls = [];
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
});

type Command = { readonly type: 'bill' | 'remind' | 'listen'; readonly on?: string };
type Event = OldEvent;

/** Version 1 counts in units, version 2 in cents: what the one takes for the other is wrong by a factor of 100. */
function bill(version: number, more: { stateVersion?: number } = {}) {
  const note = (what: string, event?: { type: string; cents?: unknown }, of = '') =>
    void calls.push([version, what, event?.type, event?.cents && 'in cents', of].filter(Boolean).join(' '));
  const upcast = (event: Event): Event =>
    event.type === 'due' ? { type: 'due', cents: (event.amount as number) * 100 } : event;
  const upcasts = { 1: upcast, 2: (event: Event) => event };
  return defineWorkflow<{ n: number }, Command, Event>({
    name,
    version,
    ...more,
    upcast: upcasts,
    initial: () => ({ n: 0 }),
    decide: (_, command) => {
      note('decide', command);
      if (command.type !== 'bill')
        return { type: command.type === 'listen' ? 'listening' : 'reminded', on: command.on };
      return version === 1 ? { type: 'due', amount: 7 } : { type: 'due', cents: 700 };
    },
    evolve: (state, event) => {
      note('evolve', event);
      return { n: state.n + 1 };
    },
    react: (event, _, { id }): Effect<Command>[] => {
      note('react', event, `of ${id}`);
      if (event.type === 'listening')
        return [subscribe('others', { workflow: name, id: event.on as string })];
      if (event.type !== 'due') return [];
      const cents = version === 1 ? (event.amount as number) * 100 : (event.cents as number);
      return [act('pay', { cents, asked: version }), after({ seconds: 0.01 }, { type: 'remind' })];
    },
    receive: ({ schema }) => {
      note('receive', undefined, `of schema ${schema}`);
      return { type: 'remind' };
    },
    actions: {
      pay: async ({ cents, asked }: { cents: number; asked: number }) => {
        calls.push(`${version} pay ${cents} asked by ${asked}`);
        return cents;
      },
    },
  });
}

async function run(version: number, options: Partial<RunnerOptions> = {}): Promise<Runner> {
  const runner = await startRunner(db, {
    workflows: [bill(version)],
    leaseMs: 2000,
    pollMs: 20,
    ...options,
  });
  runners.push(runner);
  return runner;
}

const send = (version: number, id: string, command: Command = { type: 'bill' }) =>
  handleCommands(db, bill(version), [{ tenant: 'default', id, command }]);

const address = (id: string) => ({ tenant: 'default', workflow: name, id });
const signal = (id: string, command: Command) =>
  signalWorkflow(db, { tenant: 'default', workflow: name, id }, command);

const PATIENCE_MS = 20_000;
async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline)
      throw new Error(`Waited for ${what}. Calls: ${calls.slice(-50).join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function events(id: string): Promise<string[]> {
  const rows = await many<{ type: string }>(
    db,
    'select type from event join workflow on key = workflow_key where name = $1 and id = $2 order by event.version',
    [name, id],
  );
  return rows.map(({ type }) => type);
}

const finished = (id: string) =>
  until(`${id} to be done`, async () => {
    const all = await events(id);
    return all.includes('pay.done') && all.includes('reminded') && (await reacted(id)) === all.length;
  });

async function reacted(id: string): Promise<number> {
  const { n } = await one<{ n: number }>(
    db,
    `select coalesce(max(reaction.version), 0) as n from reaction join workflow on key = workflow_key where name = $1 and id = $2`,
    [name, id],
  );
  return n;
}

/** A neighbour was served after this: whatever the old runner would have done is done. */
async function neighbourServed(id: string): Promise<void> {
  await send(1, id);
  await finished(id);
}

const of = (version: number, calls_ = calls) => calls_.filter((call) => call.startsWith(`${version} `));

describe('code of version 1 and a workflow with events of version 2', () => {
  it('it neither decides nor evolves: the client is told both versions', async () => {
    await send(2, 'a');
    calls = [];
    const [outcome] = await send(1, 'a', { type: 'remind' });
    expect(of(1)).toEqual([]);
    const both = `${name} a needs version 2 of its code; this process has version 1`;
    expect(() => unlessFailed(outcome!, name, 'a')).toThrow(both);
    expect(() => unlessFailed(outcome!, name, 'a')).toThrow(
      expect.objectContaining({ kind: 'conflict', retry: false }),
    );
    const client = new WorkflowClient(db);
    await expect(client.state(bill(1), 'a')).rejects.toThrow(both);
    await expect(simulate(db, bill(1), 'default', 'a', { type: 'remind' })).rejects.toThrow(both);
    await expect(replay(db, bill(1), 'default', 'a')).rejects.toThrow(both);
    expect(of(1)).toEqual([]);
  });

  it('the other commands of a batch are handled', async () => {
    await send(2, 'a');
    const outcomes = await handleCommands(
      db,
      bill(1),
      ['a', 'b'].map((id) => ({ tenant: 'default', id, command: { type: 'bill' } })),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'accepted']);
  });

  it('a runner does not react, the neighbours go on, and version 2 does it once and in order', async () => {
    const old = await run(1);
    await send(2, 'a');
    await send(2, 'a', { type: 'remind' });
    await neighbourServed('b');
    expect(of(1).filter((call) => call.includes('in cents') || call.endsWith('of a'))).toEqual([]);
    expect(await reacted('a')).toBe(0);
    await old.stop(0);
    runners.length = 0;
    calls = [];
    await run(2);
    await finished('a');
    expect(of(2).filter((call) => call.startsWith('2 pay'))).toEqual(['2 pay 700 asked by 2']);
    expect(of(2).filter((call) => call.startsWith('2 react'))).toHaveLength((await events('a')).length);
    expect(await one(db, 'select count(*) as n from deferred_reaction where workflow = $1', [name])).toEqual({
      n: 0,
    });
  });

  it('its messages and timers stay due and no attempt is counted', async () => {
    await send(2, 'a');
    await run(1);
    await signal('a', { type: 'remind' });
    await neighbourServed('b');
    await neighbourServed('c');
    expect(await events('a')).toEqual(['due']);
    const waiting = await many(
      db,
      'select attempts, error, parked_at, due_at <= clock() as due from message where workflow = $1',
      [name],
    );
    expect(waiting).toEqual([{ attempts: 0, error: null, parked_at: null, due: true }]);
    await run(2);
    await until('both', async () => (await events('a')).filter((type) => type === 'reminded').length === 2);
    await finished('a');
  });

  it('300 such messages in front do not hold up one of a neighbour', async () => {
    await send(2, 'a');
    for (let n = 0; n < 300; n++) await signal('a', { type: 'remind' });
    await run(1);
    await signal('b', { type: 'remind' });
    await until('the neighbour', async () => (await events('b')).length === 1);
    expect(await events('a')).toEqual(['due']);
  });

  it('an action that version 2 asked for is left to version 2, also if all events are of version 1', async () => {
    await send(1, 'a');
    const newer = await run(2, { actionsAtOnce: 0 });
    await until('the action', async () => (await reacted('a')) >= 1);
    await newer.stop(0);
    runners.length = 0;
    await run(1);
    await neighbourServed('b');
    expect(of(1).filter((call) => call.includes('asked by 2'))).toEqual([]);
    await run(2);
    await finished('a');
    expect(calls.filter((call) => call.endsWith('asked by 2'))).toEqual(['2 pay 700 asked by 2']);
  });

  it('an event that it hears is left to version 2', async () => {
    await send(2, 'a', { type: 'listen', on: 'b' });
    const newer = await run(2);
    await until('the subscription', async () => (await reacted('a')) === 1);
    await newer.stop(0);
    runners.length = 0;
    calls = [];
    await run(1);
    await neighbourServed('b');
    expect(of(1).filter((call) => call.startsWith('1 receive'))).toEqual([]);
    await run(2);
    await until('the event to be heard', () => calls.includes('2 receive of schema 1'));
  });

  it('what version 2 has written waits after a return to version 1, and everything else goes on', async () => {
    await send(2, 'a');
    await send(1, 'b');
    const newer = await run(2);
    await finished('a');
    await newer.stop(0);
    runners.length = 0;
    calls = [];
    await run(1);
    await send(2, 'a', { type: 'remind' });
    await neighbourServed('c');
    expect(of(1).filter((call) => call.includes('in cents') || call.endsWith('of a'))).toEqual([]);
    expect(await reacted('a')).toBeLessThan((await events('a')).length);
  });
});

describe('runners of versions 1 and 2 together', () => {
  const held = async (runner: Runner) =>
    (
      await one<{ n: number }>(
        db,
        `select count(*) as n from lease where holder = $1 and state = 'held' and expires_at >= clock()`,
        [runner.id],
      )
    ).n;
  const holderOf = async (part: number) =>
    (
      await many<{ holder: string }>(
        db,
        `select holder from reader_place join lease on lease.id = lease_id where workflow = $1 and part = $2 and state = 'held' and expires_at >= clock()`,
        [name, part],
      )
    )[0]?.holder;

  it('a slot with such a workflow goes to version 2 and stays there; the others are shared', async () => {
    const old = await run(1);
    const newer = await run(2);
    await until(
      'the slots to be shared',
      async () => (await held(old)) === 128 && (await held(newer)) === 128,
    );
    const ids = Array.from({ length: 40 }, (_, n) => `w${n}`);
    for (const id of ids) await send(2, id);
    for (const id of ids) await finished(id);
    expect(of(1)).toEqual([]);
    const needy = await many<{ part: number }>(
      db,
      'select part from reader where workflow = $1 and needs_version = 2',
      [name],
    );
    expect(needy.length).toBeGreaterThan(0);
    for (const { part } of needy) expect(await holderOf(part)).toBe(newer.id);
    await until('all slots to be held', async () => (await held(old)) + (await held(newer)) === 256);
    expect(await held(old)).toBeGreaterThan(0);
  });

  it('with workflows of version 2 in all slots it holds them all', async () => {
    const old = await run(1);
    const ids = Array.from({ length: 3000 }, (_, n) => `w${n}`);
    await handleCommands(
      db,
      bill(2),
      ids.map((id) => ({ tenant: 'default', id, command: { type: 'bill' } })),
    );
    await until(
      'all slots to wait',
      async () =>
        (
          await one<{ n: number }>(
            db,
            'select count(*) as n from reader where workflow = $1 and needs_version = 2',
            [name],
          )
        ).n === 256,
    );
    const newer = await run(2);
    await until('all slots', async () => (await held(newer)) === 256 && (await held(old)) === 0);
  });

  it('a fixed partition goes to a stand-by of version 2', async () => {
    const partition = { index: 0, total: 1 };
    const old = await run(1, { partition });
    await until('the first to hold it', async () => (await holderOf(0)) === old.id);
    const newer = await run(2, { partition });
    await send(2, 'a');
    await finished('a');
    expect(await holderOf(0)).toBe(newer.id);
    await newer.stop(0); // back to what there is
    await until('the old one', async () => (await holderOf(0)) === old.id);
    await neighbourServed('b');
    await run(2, { partition });
    await until(
      'version 2 again',
      async () => (await holderOf(0)) !== old.id && (await holderOf(0)) !== undefined,
    );
  });

  it('of a partition that version 2 does not run, version 1 keeps what it can do', async () => {
    await run(1, { partition: { index: 0, total: 2 } });
    const other = await run(1, { partition: { index: 1, total: 2 } });
    await run(2, { partition: { index: 0, total: 2 } });
    const idOf = (part: number) =>
      Array.from({ length: 50 }, (_, n) => `w${n}`).find((id) => partitionOf(id, 2) === part)!;
    await send(2, idOf(1));
    await send(2, idOf(0));
    await finished(idOf(0));
    expect(await holderOf(1)).toBe(other.id);
    expect(await reacted(idOf(1))).toBe(0);
  });

  it('due messages alone bring the slot to version 2', async () => {
    await send(2, 'a');
    const first = await run(2);
    await finished('a');
    await first.stop(0);
    runners.length = 0;
    await run(1);
    await db.query('update reader set needs_version = 1 where workflow = $1', [name]); // as after another layout
    await signal('a', { type: 'remind' });
    await neighbourServed('b');
    await run(2);
    await until(
      'the message',
      async () => (await events('a')).filter((type) => type === 'reminded').length === 2,
    );
  });

  it('for a runner until it is idle, what needs newer code is nothing that is left', async () => {
    await run(1, { actionsAtOnce: 0 });
    await send(2, 'a');
    await signal('a', { type: 'remind' });
    await until(
      'it to be deferred',
      async () => (await showWorkflow(db, address('a'))).head.deferredSince !== null,
    );
    const left = (version: number) => whatIsLeft(db, [name], null, [version]);
    await until('the rest to be read', async () => !Object.values(await left(1)).some(Boolean));
    expect(await left(2)).toMatchObject({ reactions: true, messages: true });
    expect((await showWorkflow(db, address('a'))).head.needsVersion).toBe(2);
  });

  it('the status shows the versions, and how many workflows wait for which', async () => {
    await run(1);
    await send(2, 'a');
    await send(2, 'b');
    await neighbourServed('c');
    const status = await partitionStatus(db, name);
    expect(status.runners).toMatchObject([{ versions: [1] }]);
    expect(status.workflows[0]!.waiting).toEqual([{ version: 2, workflows: 2, runners: 0 }]);
    await run(2);
    await finished('a');
    await finished('b');
    expect((await partitionStatus(db, name)).workflows[0]!.waiting).toEqual([]);
  });
});
