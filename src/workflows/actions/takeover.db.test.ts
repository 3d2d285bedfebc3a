/** What happens to actions when processes crash, are paused, or exit; and when actions are cancelled. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Database } from '../../db/database.ts';
import {
  disconnectable,
  gate,
  historyOf,
  LEASE,
  processes,
  reaches,
  readAction,
  requestActions,
  until,
  workflowWith,
} from './action.fixture.ts';
import type { Action, ActionContext } from './action.ts';
import { cancelActions } from './action-store.ts';
import type { ActionsOptions } from './actions-options.ts';

let db: Database;
let later: (ms: number) => Promise<void>;
let kind: string;
let runners: ReturnType<typeof processes>;
beforeAll(async () => {
  db = await freshDatabase(10);
  later = await movableClock(db);
  runners = processes(db);
});
beforeEach(() => {
  kind = `k${randomUUID()}`; // each test has the tables for itself
});
afterEach(() => runners.stop());
afterAll(() => db.close());

const start = (charge: Action, options: Partial<ActionsOptions> & { on?: Database } = {}) =>
  runners.start(workflowWith(kind, { charge }), options);

async function ask() {
  const { key, actions } = await requestActions(db, kind, 'order-1', [{ name: 'charge' }]);
  return { key, id: actions[0]! };
}

/** An action that waits until it is ended by the test, and the contexts of its attempts. */
function waiting() {
  const tries: ActionContext[] = [];
  const go = gate();
  const charge = async (_: unknown, context: ActionContext) => {
    tries.push(context);
    await go.opened;
    return 'from the first';
  };
  return { tries, charge, go };
}

describe('a process that died', () => {
  it('has its action taken over when the hold expires, at the checkpoint, with the same key', async () => {
    const way = disconnectable(db);
    const { key, id } = await ask();
    const keys: string[] = [];
    const dies = async (_: unknown, { checkpoint, idempotencyKey }: ActionContext) => {
      keys.push(idempotencyKey);
      await checkpoint.save({ page: 3 });
      way.cut = true;
      return new Promise(() => {});
    };
    start(dies, { on: way });
    await until(() => way.cut);
    start(async (_, { checkpoint, idempotencyKey, attempt }) => {
      keys.push(idempotencyKey);
      return { from: checkpoint.value, attempt };
    });
    expect(await readAction(db, id)).toMatchObject({ state: 'running', token: 1 });
    await later(LEASE + 1000);
    await reaches(db, id, 'done');
    way.cut = false;
    expect(new Set(keys).size).toBe(1);
    expect(await historyOf(db, key)).toEqual([
      ['charge.done', { result: { from: { page: 3 }, attempt: 2 } }],
    ]);
  });

  it('and comes back has its result refused', async () => {
    const way = disconnectable(db);
    const { key, id } = await ask();
    const { tries, charge, go } = waiting();
    const zombie = start(charge, { on: way });
    await until(() => tries.length === 1);
    way.cut = true;
    await later(LEASE + 1000);
    start(async () => 'from the second');
    await reaches(db, id, 'done');
    way.cut = false;
    go.open();
    await zombie.stop(LEASE);
    expect(await historyOf(db, key)).toEqual([['charge.done', { result: 'from the second' }]]);
    expect(await readAction(db, id)).toMatchObject({ token: 2, result: 'from the second' });
  });

  it('and returns has its signal aborted', async () => {
    const way = disconnectable(db);
    const { id } = await ask();
    const { tries, charge } = waiting();
    start(charge, { on: way, leaseMs: 300 });
    await until(() => tries.length === 1);
    way.cut = true;
    await later(LEASE);
    start(async () => 'from the second');
    await reaches(db, id, 'done');
    way.cut = false;
    await until(() => tries[0]!.signal.aborted);
  });

  it('and comes back can keep no checkpoint', async () => {
    const way = disconnectable(db);
    const { key, id } = await ask();
    const go = gate();
    let refusal: unknown;
    let aborted = false;
    const zombie = start(
      async (_, { checkpoint, signal }) => {
        await go.opened;
        await checkpoint.save('old').catch((error) => {
          refusal = error;
          aborted = signal.aborted;
        });
        return 'from the first'; // it does not care, and is dropped nevertheless
      },
      { on: way },
    );
    await reaches(db, id, 'running');
    way.cut = true;
    await later(LEASE + 1000);
    const second = waiting();
    start(second.charge);
    await until(() => second.tries.length === 1);
    way.cut = false;
    go.open();
    await zombie.stop(LEASE);
    expect(aborted).toBe(true);
    expect(refusal).toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('lease of the action was lost'),
    });
    expect(await historyOf(db, key)).toEqual([]);
    expect(await readAction(db, id)).toMatchObject({ state: 'running', checkpoint: null, token: 2 });
  });

  it('and comes back keeps its action, if no other process has taken it', async () => {
    const { key, id } = await ask();
    const { tries, charge, go } = waiting();
    const actions = start(charge);
    await until(() => tries.length === 1);
    await later(LEASE + 1000);
    actions.wake();
    go.open();
    await actions.stop(LEASE);
    expect(await historyOf(db, key)).toHaveLength(1);
    expect(await readAction(db, id)).toMatchObject({ state: 'done', token: 1, crashes: 0 });
  });
});

describe('a hold', () => {
  it('is kept while the action runs', async () => {
    const { id } = await ask();
    const { tries, charge } = waiting();
    start(charge, { leaseMs: 600 });
    await until(() => tries.length === 1);
    const expiry = async () =>
      (await db.query<{ at: Date }>('select expires_at as at from action where id = $1', [id])).rows[0]!.at;
    for (let n = 0; n < 4; n++) {
      const before = await expiry();
      await later(400); // without a renewal it would end at the second
      await until(async () => (await expiry()) > before);
    }
    expect(tries[0]!.signal.aborted).toBe(false);
  });
});

describe('an action that is cancelled', () => {
  it('has its signal aborted, and writes nothing', async () => {
    const { key, id } = await ask();
    const { tries, charge, go } = waiting();
    const actions = start(charge, { leaseMs: 150 });
    await until(() => tries.length === 1);
    await db.tx((tx) => cancelActions(tx, [key], 'charge'));
    const { signal } = tries[0]!;
    if (!signal.aborted) await once(signal, 'abort');
    go.open();
    await actions.stop(LEASE);
    expect(await readAction(db, id)).toMatchObject({ state: 'cancelled', result: null });
    expect(await historyOf(db, key)).toEqual([]);
  });
});

describe('the end of a process', () => {
  it('waits for what runs, and claims no more', async () => {
    const { key } = await ask();
    const { tries, charge, go } = waiting();
    const actions = start(charge);
    await until(() => tries.length === 1);
    const stopped = actions.stop(LEASE);
    const { id } = await requestActions(db, kind, 'order-2', [{ name: 'charge' }]).then((a) => ({
      id: a.actions[0]!,
    }));
    go.open();
    await stopped;
    expect(await historyOf(db, key)).toEqual([['charge.done', { result: 'from the first' }]]);
    expect(await readAction(db, id)).toMatchObject({ state: 'waiting' });
  });

  it('interrupts slow actions: they may save a checkpoint, and another process continues at once', async () => {
    const { key, id } = await ask();
    const begun = gate();
    const long = async (_: unknown, { checkpoint, signal }: ActionContext) => {
      begun.open();
      await once(signal, 'abort');
      await checkpoint.save({ page: 8 });
      throw signal.reason;
    };
    const actions = start(long);
    await begun.opened;
    await actions.stop(0);
    expect(await readAction(db, id)).toMatchObject({ state: 'waiting', attempts: 0, holder: null });
    start(async (_, { checkpoint, attempt }) => ({ from: checkpoint.value, attempt }));
    await reaches(db, id, 'done');
    expect(await historyOf(db, key)).toEqual([
      ['charge.done', { result: { from: { page: 8 }, attempt: 1 } }],
    ]);
  });

  it('releases actions that ignore their signal', async () => {
    const { id } = await ask();
    const { tries, charge } = waiting();
    const actions = start(charge);
    await until(() => tries.length === 1);
    await actions.stop(0);
    expect(tries[0]!.signal.aborted).toBe(true);
    expect(await readAction(db, id)).toMatchObject({ state: 'waiting', attempts: 0 });
  });

  it('keeps a result that comes in the last moment', async () => {
    const { key } = await ask();
    const begun = gate();
    const actions = start(async (_, { signal }) => {
      begun.open();
      await once(signal, 'abort');
      return 'after all';
    });
    await begun.opened;
    await actions.stop(0);
    expect(await historyOf(db, key)).toEqual([['charge.done', { result: 'after all' }]]);
  });
});
