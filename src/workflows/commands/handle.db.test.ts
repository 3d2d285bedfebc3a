import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many, type Queryable } from '../../db/database.ts';
import { type CounterCommand, counter } from '../counter.fixture.ts';
import { continueAsNew } from '../decision.ts';
import { type AnyWorkflow, defineWorkflow } from '../define.ts';
import { replay } from '../simulate.ts';
import { load } from '../state/load.ts';
import { type Command, handleCommands } from './handle.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterAll(() => db.close());

const tenant = 'default';
const add = (id: string, n: number, commandId?: string): Command => ({
  tenant,
  id,
  command: { type: 'add', n } as CounterCommand,
  ...(commandId && { commandId }),
});

async function stateOf(workflow: AnyWorkflow, id: string): Promise<unknown> {
  const [loaded] = await load(db, workflow, [{ tenant, id, commandId: null }]);
  return loaded!.folded;
}

describe('a command', () => {
  it('begins a workflow, and moves it on', async () => {
    const workflow = counter('begin');
    const [first] = await handleCommands(db, workflow, [add('a', 1)]);
    const [second] = await handleCommands(db, workflow, [add('a', 2)]);
    expect(first).toMatchObject({ outcome: 'accepted', version: 1 });
    expect(second).toMatchObject({
      outcome: 'accepted',
      version: 2,
      events: [{ type: 'added', data: { n: 2 } }],
    });
    expect(await stateOf(workflow, 'a')).toEqual({ version: 2, state: { sum: 3, events: 2 } });
  });

  it.each([
    ['an id that fits into no index', 'ü'.repeat(501)],
    ['an id with a zero', 'a\0b'],
  ])('to %s fails alone', async (what, id) => {
    const workflow = counter(what.replaceAll(' ', '-'));
    const outcomes = await handleCommands(db, workflow, [add('a', 1), add(id, 1), add('b', 1, id)]);
    expect(outcomes).toMatchObject([
      { outcome: 'accepted' },
      { outcome: 'failed', error: { kind: 'usage' } },
      { outcome: 'failed', error: { kind: 'usage' } },
    ]);
  });

  it('that is rejected writes nothing, not even a workflow', async () => {
    const workflow = counter('reject');
    expect(await handleCommands(db, workflow, [add('a', -1)])).toEqual([
      { outcome: 'rejected', reason: 'below zero' },
    ]);
    expect(await many(db, `select from workflow where name = 'reject'`)).toEqual([]);
  });

  it('that leads to no event is accepted and writes nothing', async () => {
    const workflow = counter('nothing');
    const nothing = { tenant, id: 'a', command: { type: 'nothing' } };
    expect(await handleCommands(db, workflow, [nothing])).toMatchObject([
      { outcome: 'accepted', version: 0 },
    ]);
  });

  it('whose code throws has its own failure, and the others take effect', async () => {
    const workflow = counter('throw');
    const outcomes = await handleCommands(db, workflow, [
      { tenant, id: 'a', command: { type: 'explode' } },
      add('b', 1),
    ]);
    expect(outcomes).toMatchObject([
      { outcome: 'failed', error: { message: 'decide of throw a failed on the command explode: boom.' } },
      { outcome: 'accepted' },
    ]);
  });

  it('has one effect under one id, in one batch, one after the other and at once', async () => {
    const workflow = counter('once');
    const batch = await handleCommands(db, workflow, [add('a', 1, 'x'), add('a', 1, 'x'), add('a', 1, 'y')]);
    expect(batch.map(({ outcome }) => outcome)).toEqual(['accepted', 'repeated', 'accepted']);
    expect(await handleCommands(db, workflow, [add('a', 1, 'x')])).toMatchObject([{ outcome: 'repeated' }]);
    const many = await Promise.all(
      Array.from({ length: 8 }, () => handleCommands(db, workflow, [add('a', 1, 'z')])),
    );
    expect(many.flat().filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(await stateOf(workflow, 'a')).toMatchObject({ state: { sum: 3 } });
  });

  it('loses nothing when twenty come at once', async () => {
    const workflow = counter('rush');
    const rush = await Promise.all(
      Array.from({ length: 20 }, (_, n) => handleCommands(db, workflow, [add('a', n)])),
    );
    expect(rush.flat().every(({ outcome }) => outcome === 'accepted')).toBe(true);
    expect(await stateOf(workflow, 'a')).toEqual({ version: 20, state: { sum: 190, events: 20 } });
  });

  it('in a batch sees what those before it did', async () => {
    const workflow = counter('batch');
    const outcomes = await handleCommands(db, workflow, [
      add('a', 1),
      add('a', -1),
      add('a', -1),
      add('b', 5),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'rejected', 'accepted']);
  });

  it('meets a snapshot every few events, and reads only what came after', async () => {
    const workflow = counter('snap');
    for (let n = 0; n < 25; n++) await handleCommands(db, workflow, [add('a', 1)]);
    const taken = await many<{ version: number }>(
      db,
      `select snapshot.version from snapshot join workflow on key = workflow_key where name = 'snap' order by 1`,
    );
    expect(taken.map(({ version }) => version)).toEqual([10, 20]);
    await db.query(
      `delete from event using workflow where key = workflow_key and name = 'snap' and event.version <= 20`,
    );
    expect(await stateOf(workflow, 'a')).toEqual({ version: 25, state: { sum: 25, events: 25 } });
  });

  it('does not use snapshots of another version of the workflow, and upcasts old events', async () => {
    const old = counter('upcast');
    for (let n = 0; n < 12; n++) await handleCommands(db, old, [add('a', 1)]);
    const young = defineWorkflow<
      { total: number },
      { type: 'put'; amount: number },
      { type: 'put'; amount: number }
    >({
      name: 'upcast',
      version: 2,
      initial: () => ({ total: 0 }),
      decide: (_, { amount }) => ({ type: 'put', amount }),
      evolve: (state, event) => ({ total: state.total + event.amount }),
      upcast: { 1: (event) => ({ type: 'put', amount: event.n }) },
    });
    await handleCommands(db, young, [{ tenant, id: 'a', command: { type: 'put', amount: 100 } as never }]);
    expect(await stateOf(young, 'a')).toEqual({ version: 13, state: { total: 112 } });
  });

  it('may continue the workflow as new, and earlier events are no longer needed', async () => {
    const workflow = defineWorkflow<number, { type: 'add' | 'anew' }, { type: 'added' }>({
      name: 'anew',
      initial: () => 0,
      decide: (state, { type }) => (type === 'anew' ? continueAsNew(state * 100) : { type: 'added' }),
      evolve: (state) => state + 1,
    });
    for (const type of ['add', 'add', 'anew', 'add'])
      await handleCommands(db, workflow, [{ tenant, id: 'a', command: { type } }]);
    await db.query(
      `delete from event using workflow where key = workflow_key and name = 'anew' and event.version < 3`,
    );
    expect(await stateOf(workflow, 'a')).toEqual({ version: 4, state: 201 });
  });

  it('finds no state when the first events are gone, and not one of those that are left', async () => {
    const workflow = counter('half');
    for (let n = 0; n < 25; n++) await handleCommands(db, workflow, [add('a', 1)]);
    const young = { ...workflow, stateVersion: 2 }; // it does not use the snapshots
    await db.query(
      `delete from event using workflow where key = workflow_key and name = 'half' and event.version < 3`,
    );
    const [outcome] = await handleCommands(db, young, [add('a', 1)]);
    const gone = { kind: 'not-found', message: expect.stringContaining('its state is not known') };
    expect(outcome).toMatchObject({ outcome: 'failed', error: gone });
    await expect(replay(db, young, tenant, 'a')).rejects.toMatchObject(gone);
    expect(await replay(db, workflow, tenant, 'a')).toMatchObject({ state: { sum: 25 } });
  });

  it('that begins a workflow whose state is not JSON fails before anything is written', async () => {
    const workflow = defineWorkflow<{ n: bigint }, { type: 'add' }, { type: 'added' }>({
      name: 'bigint',
      initial: () => ({ n: 0n }),
      decide: () => ({ type: 'added' }),
      evolve: (state) => ({ n: state.n + 1n }),
    });
    const [outcome] = await handleCommands(db, workflow, [{ tenant, id: 'a', command: { type: 'add' } }]);
    expect(outcome).toMatchObject({
      outcome: 'failed',
      error: { kind: 'usage', message: expect.stringContaining('initial of bigint a failed') },
    });
    expect(await many(db, `select from workflow where name = 'bigint'`)).toEqual([]);
  });

  it('that was committed is accepted although the database breaks off before the snapshot', async () => {
    const workflow = counter('no-snapshot');
    const breaking: Queryable = {
      query: (sql, params, name) => {
        if (sql.includes('insert into snapshot')) throw new Error('broken');
        return db.query(sql, params, name);
      },
    };
    const commands = Array.from({ length: 12 }, () => add('a', 1));
    const outcomes = await handleCommands(breaking, workflow, commands);
    expect(outcomes.at(-1)).toMatchObject({ outcome: 'accepted', version: 12 });
  });

  it('that was rejected because of one that was overtaken is decided again with it', async () => {
    const workflow = counter('hindsight');
    await handleCommands(db, workflow, [add('a', 1)]);
    let first = true;
    const overtaken: Queryable = {
      query: async (sql, params, name) => {
        if (name?.startsWith('append') && first) {
          first = false;
          await handleCommands(db, workflow, [add('a', 9)]);
        }
        return db.query(sql, params, name);
      },
    };
    const outcomes = await handleCommands(overtaken, workflow, [add('a', -1), add('a', -5)]);
    expect(outcomes).toMatchObject([
      { outcome: 'accepted', version: 3 },
      { outcome: 'accepted', version: 4 },
    ]);
  });

  it('adds nothing to a workflow that was completed since it was read', async () => {
    const workflow = counter('just-ended');
    await handleCommands(db, workflow, [add('a', 1)]);
    let first = true;
    const completing: Queryable = {
      query: async (sql, params, name) => {
        if (name?.startsWith('append') && first) {
          first = false;
          await db.query(`update workflow set status = 'completed' where name = 'just-ended'`);
        }
        return db.query(sql, params, name);
      },
    };
    const [outcome] = await handleCommands(completing, workflow, [add('a', 1)]);
    expect(outcome).toEqual({ outcome: 'rejected', reason: 'just-ended a is completed', ended: true });
  });

  it('reads the history of a workflow once, however many commands to it are in a batch', async () => {
    const workflow = counter('read-once');
    await handleCommands(
      db,
      workflow,
      Array.from({ length: 5 }, () => add('a', 1)),
    );
    let rows = 0;
    const counting: Queryable = {
      query: async (sql, params, name) => {
        const result = await db.query<never>(sql, params, name);
        if (name === 'load') rows = result.rows.length;
        return result;
      },
    };
    const outcomes = await handleCommands(
      counting,
      workflow,
      Array.from({ length: 50 }, (_, n) => add('a', 1, `id-${n % 25}`)),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(25);
    expect(outcomes.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(25);
    expect(rows).toBe(5 + 49);
  });

  it('is rejected by a workflow that has ended, and waits while it is paused', async () => {
    const workflow = counter('ended');
    await handleCommands(db, workflow, [add('a', 1), add('b', 1)]);
    await db.query(
      `update workflow set status = case id when 'a' then 'completed' else 'paused' end where name = 'ended'`,
    );
    expect(await handleCommands(db, workflow, [add('a', 1), add('b', 1)])).toEqual([
      { outcome: 'rejected', reason: 'ended a is completed', ended: true },
      { outcome: 'paused' },
    ]);
  });
});
