import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Database } from '../../db/database.ts';
import { readAction, requestActions } from './action.fixture.ts';
import {
  addActions,
  cancelActions,
  endActions,
  releaseActions,
  releaseActionWithBackoff,
  renewActions,
  saveCheckpoint,
} from './action-store.ts';
import { claimActions, recoverActions } from './claim-store.ts';

let db: Database;
let later: (ms: number) => Promise<void>;
let kind: string;
beforeAll(async () => {
  db = await freshDatabase(8);
  later = await movableClock(db);
});
beforeEach(() => {
  kind = `kind-${randomUUID()}`; // each test has the table for itself
});
afterAll(() => db.close());

const TTL = 10_000;
const MINUTE = 60_000;

const asked = (id: string, ...names: string[]) =>
  requestActions(
    db,
    kind,
    id,
    names.map((name) => ({ name, input: { of: id } })),
  );

async function claim(max = 100, names: readonly string[] = ['charge', 'ship'], holder = randomUUID()) {
  const known = names.map((name) => ({ workflow: kind, name }));
  await recoverActions(db, [kind], [], max);
  return claimActions(db, { known, holder, ttlMs: TTL }, max);
}

async function claimOne() {
  const [claimed] = await claim(1);
  return claimed!;
}

const done = (held: { id: number; token: number }, result = '"paid"') =>
  db.tx((tx) => endActions(tx, [{ ...held, state: 'done', result, error: null }]));

const setStatus = (key: number, status: string) =>
  db.query('update workflow set status = $2 where key = $1', [key, status]);

describe('a claim', () => {
  it('brings everything a run needs', async () => {
    const { key, actions } = await asked('order-1', 'charge');
    expect(await claim()).toEqual([
      {
        id: actions[0],
        token: 1,
        tenant: 'default',
        workflowKey: key,
        workflow: kind,
        workflowId: 'order-1',
        version: 1,
        n: 0,
        name: 'charge',
        input: { of: 'order-1' },
        attempts: 1,
        crashes: 0,
        crashesAlone: 0,
        checkpoint: null,
        error: null,
        trace: null,
        key: null,
        limitKey: null,
        earlier: null,
      },
    ]);
  });

  it('never gives one action to two', async () => {
    for (let i = 0; i < 5; i++) await asked(`order-${i}`, ...Array<string>(20).fill('charge'));
    const batches = await Promise.all(Array.from({ length: 8 }, () => claim(15)));
    const ids = batches.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length + (await claim(1000)).length).toBe(100);
  });

  it('takes the oldest first, whichever workflow they are of, and no more than it may', async () => {
    const other = `other-${randomUUID()}`;
    await asked('order-1', 'charge', 'ship');
    await later(10);
    await requestActions(db, other, 'x', [{ name: 'poke' }]);
    await later(10);
    await asked('order-2', 'charge');
    const known = [
      { workflow: other, name: 'poke' },
      { workflow: kind, name: 'charge' },
      { workflow: kind, name: 'ship' },
    ];
    const wanted = { known, holder: randomUUID(), ttlMs: TTL };
    const first = await claimActions(db, wanted, 3);
    expect(first.map(({ name }) => name)).toEqual(['charge', 'ship', 'poke']);
    expect((await claimActions(db, wanted, 3)).map(({ workflowId }) => workflowId)).toEqual(['order-2']);
  });

  it('leaves alone what it does not know', async () => {
    await asked('order-1', 'charge', 'ship');
    expect((await claim(100, ['ship'])).map(({ name }) => name)).toEqual(['ship']);
  });

  it('passes over a workflow that is paused, or has ended', async () => {
    const { key } = await asked('order-1', 'charge');
    for (const status of ['paused', 'completed', 'cancelled']) {
      await setStatus(key, status);
      expect(await claim()).toEqual([]);
    }
    await setStatus(key, 'running');
    expect(await claim()).toHaveLength(1);
  });

  it('takes over when the hold has expired, not before, with the next token', async () => {
    await asked('order-1', 'charge');
    const first = await claimOne();
    await later(TTL - 1000);
    expect(await claim()).toEqual([]);
    await later(2000);
    expect(await claim()).toMatchObject([{ id: first.id, token: first.token + 1, attempts: 1, crashes: 1 }]);
  });
});

describe('the same action requested twice', () => {
  it('is there once', async () => {
    const { key } = await asked('order-1', 'charge');
    const again = { tenant: 'default', workflowKey: key, workflow: kind, version: 1, n: 0 };
    await db.tx((tx) => addActions(tx, [{ ...again, name: 'ship', input: null }]));
    expect((await claim()).map(({ name }) => name)).toEqual(['charge']);
  });
});

describe('a hold', () => {
  it('lives as long as it is renewed', async () => {
    await asked('order-1', 'charge');
    const held = await claimOne();
    for (let i = 0; i < 3; i++) {
      await later(TTL - 1000);
      expect(await renewActions(db, [held], TTL)).toEqual(new Map([[held.id, held.token]]));
    }
    expect(await claim()).toEqual([]);
  });

  it('is not renewed for who lost it, and the others are', async () => {
    await asked('order-1', 'charge', 'ship');
    const [charge, ship] = [await claimOne(), await claimOne()];
    await later(TTL + 1000);
    const taken = await claimOne();
    expect(taken.id).toBe(charge.id);
    expect(await renewActions(db, [charge, ship], TTL)).toEqual(new Map([[ship.id, ship.token]]));
  });

  it('that is given back is no try, and can be claimed at once', async () => {
    const { actions } = await asked('order-1', 'charge');
    await releaseActions(db, [await claimOne()]);
    expect(await readAction(db, actions[0]!)).toMatchObject({ state: 'waiting', attempts: 0, holder: null });
    expect(await claim()).toMatchObject([{ token: 2, attempts: 1 }]);
  });

  it("that is lost can't be ended, checkpointed, delayed or released", async () => {
    const { actions } = await asked('order-1', 'charge');
    const zombie = await claimOne();
    await later(TTL + 1000);
    const successor = await claimOne();
    expect(await done(zombie)).toEqual(new Map());
    expect(await saveCheckpoint(db, zombie, '1', TTL)).toBe(false);
    expect(await releaseActionWithBackoff(db, zombie, 'no', 0)).toBe(false);
    await releaseActions(db, [zombie]);
    expect(await readAction(db, actions[0]!)).toMatchObject({ state: 'running', checkpoint: null });
    expect(await done(successor)).toEqual(new Map([[successor.id, successor.token]]));
  });
});

describe('an end', () => {
  it('happens once', async () => {
    const { actions } = await asked('order-1', 'charge');
    const held = await claimOne();
    const answers = await Promise.all([done(held), done(held), done(held)]);
    expect(answers.filter(({ size }) => size === 1)).toHaveLength(1);
    expect(await readAction(db, actions[0]!)).toMatchObject({ state: 'done', result: 'paid', holder: null });
    await later(MINUTE);
    expect(await claim()).toEqual([]);
  });

  it('ends the held ones of many, and returns which', async () => {
    await asked('order-1', ...Array<string>(50).fill('charge'));
    const held = await claim();
    const ends = held.map(({ id, token }, i) => ({
      id,
      token: i % 2 === 0 ? token : token - 1,
      state: 'done' as const,
      result: String(i),
      error: null,
    }));
    const ended = await db.tx((tx) => endActions(tx, ends));
    expect([...ended.keys()].sort((a, b) => a - b)).toEqual(
      held.filter((_, i) => i % 2 === 0).map(({ id }) => id),
    );
  });
});

describe('an action that is delayed', () => {
  it('waits by the clock of the database, with its error and its checkpoint', async () => {
    await asked('order-1', 'charge');
    const held = await claimOne();
    expect(await saveCheckpoint(db, held, '{"page":7}', TTL)).toBe(true);
    expect(await releaseActionWithBackoff(db, held, 'no answer', 5000)).toBe(true);
    await later(4000);
    expect(await claim()).toEqual([]);
    await later(1001);
    expect(await claim()).toMatchObject([
      { token: 2, attempts: 2, checkpoint: { page: 7 }, error: 'no answer' },
    ]);
  });
});

describe('a cancelled action', () => {
  it('is no longer claimed, and its holder can neither renew nor end it', async () => {
    const { key, actions } = await asked('order-1', 'charge', 'charge', 'ship');
    const held = await claimOne();
    await db.tx((tx) => cancelActions(tx, [key], 'charge'));
    expect(await renewActions(db, [held], TTL)).toEqual(new Map());
    expect(await done(held)).toEqual(new Map());
    expect(await readAction(db, actions[0]!)).toMatchObject({ state: 'cancelled' });
    expect((await claim()).map(({ name }) => name)).toEqual(['ship']);
  });

  it('of any name ends with its workflow; what has ended before stays', async () => {
    const { key, actions } = await asked('order-1', 'charge', 'ship');
    await done(await claimOne());
    await db.tx((tx) => cancelActions(tx, [key], null));
    const states = await Promise.all(actions.map((id) => readAction(db, id)));
    expect(states.map(({ state }) => state)).toEqual(['done', 'cancelled']);
  });
});
