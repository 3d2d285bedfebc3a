import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many } from '../../db/database.ts';
import { MAX_EVENT_BYTES } from '../../events/append-store.ts';
import { readWorkflow } from '../../events/read-store.ts';
import {
  disconnectable,
  gate,
  historyOf,
  LEASE,
  processes,
  reaches as reachesIn,
  readAction,
  requestActions,
  until,
  workflowWith,
} from './action.fixture.ts';
import type { Action, ActionContext } from './action.ts';
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

const HOUR = 3_600_000;

function start(
  actions: Readonly<Record<string, Action>>,
  options: Partial<ActionsOptions> & { on?: Database; version?: number } = {},
) {
  return runners.start(workflowWith(kind, actions, options.version), options);
}

const ask = (id: string, ...names: string[]) =>
  requestActions(
    db,
    kind,
    id,
    names.map((name) => ({ name })),
  );
const reaches = (id: number, state: string) => reachesIn(db, id, state);
const history = (key: number) => historyOf(db, key);
const letters = (action: number) =>
  many(db, 'select kind, state, path from dead_letter where action_id = $1', [action]);

describe('an action', () => {
  it("runs with its input, and its result is an event of today's version", async () => {
    const seen: unknown[] = [];
    const endedKeys: number[] = [];
    const charge = async (
      input: unknown,
      { idempotencyKey, attempt, workflow, checkpoint }: ActionContext,
    ) => {
      seen.push({ input, idempotencyKey, attempt, workflow, value: checkpoint.value });
      return { paid: true };
    };
    const { key, actions } = await requestActions(db, kind, 'order-17', [
      { name: 'charge', input: { cents: 5 } },
    ]);
    start({ charge }, { version: 3, ended: (keys) => endedKeys.push(...keys) });
    await until(() => endedKeys.length > 0);
    expect(seen).toEqual([
      {
        input: { cents: 5 },
        idempotencyKey: `default/${kind}/order-17/1/0`,
        attempt: 1,
        workflow: { name: kind, id: 'order-17' },
        value: undefined,
      },
    ]);
    expect(await readWorkflow(db, key, 1, 9)).toMatchObject([
      { type: 'charge.done', schema: 3, data: { result: { paid: true } } },
    ]);
    expect(await readAction(db, actions[0]!)).toMatchObject({ state: 'done', result: { paid: true } });
    expect(endedKeys).toEqual([key]);
    expect(runners.errors).toEqual([]);
  });

  it('has one effect, however many processes claim actions', async () => {
    const effects: string[] = [];
    const charge = async (_: unknown, { idempotencyKey }: ActionContext) => void effects.push(idempotencyKey);
    const asked = await Promise.all(
      [1, 2, 3, 4].map((i) => ask(`o${i}`, ...Array<string>(50).fill('charge'))),
    );
    for (let i = 0; i < 3; i++) start({ charge }, { concurrency: 7 });
    await until(
      async () =>
        (await many(db, `select from action where workflow = $1 and state <> 'done'`, [kind])).length === 0,
    );
    expect(effects).toHaveLength(200);
    expect(new Set(effects).size).toBe(200);
    for (const { key } of asked) expect(await history(key)).toHaveLength(50);
  });

  it('that this process does not define is left to others', async () => {
    const { actions } = await ask('a', 'charge', 'ship');
    start({ ship: async () => 1 });
    await reaches(actions[1]!, 'done');
    expect(await readAction(db, actions[0]!)).toMatchObject({ state: 'waiting', token: 0 });
  });

  it('that is slow delays no other', async () => {
    const slow = gate();
    const { actions } = await ask('a', 'wait', ...Array<string>(30).fill('quick'));
    start({ wait: () => slow.opened, quick: async () => 1 }, { concurrency: 2 });
    for (const id of actions.slice(1)) await reaches(id, 'done');
    expect(await readAction(db, actions[0]!)).toMatchObject({ state: 'running' });
    slow.open();
    await reaches(actions[0]!, 'done');
  });

  it('is followed by the next at once, without waiting for the next poll', async () => {
    const { actions } = await ask('a', 'quick', 'quick', 'quick', 'quick');
    start({ quick: async () => 1 }, { concurrency: 1, pollMs: HOUR });
    for (const id of actions) await reaches(id, 'done');
  });

  it('that is added later is found on a notification', async () => {
    const runner = start({ quick: async () => 1 }, { pollMs: HOUR });
    const first = await ask('a', 'quick');
    runner.wake();
    await reaches(first.actions[0]!, 'done');
  });

  it('whose workflow has ended meanwhile only has its result kept', async () => {
    const wait = gate();
    const { key, actions } = await ask('a', 'wait');
    start({ wait: () => wait.opened.then(() => 5) });
    await reaches(actions[0]!, 'running');
    await db.query(`update workflow set status = 'completed' where key = $1`, [key]);
    wait.open();
    await reaches(actions[0]!, 'done');
    expect(await readAction(db, actions[0]!)).toMatchObject({ result: 5 });
    expect(await history(key)).toEqual([]);
  });
});

describe('a failure', () => {
  it("is tried again after a pause of the database's clock, which grows", async () => {
    const attempts: number[] = [];
    const run = async (_: unknown, { attempt }: ActionContext) => {
      attempts.push(attempt);
      if (attempt < 3) throw new Error('no answer');
    };
    const { key, actions } = await ask('a', 'charge');
    start({ charge: { run, firstWait: { hours: 1 }, mostWait: { hours: 9 } } });
    for (const max of [HOUR, 2 * HOUR]) {
      await until(async () => (await readAction(db, actions[0]!)).error !== null);
      const { dueInMs, error, state } = await readAction(db, actions[0]!);
      expect({ error, state }).toEqual({ error: 'no answer', state: 'waiting' });
      expect(dueInMs).toBeLessThanOrEqual(max);
      await db.query('update action set error = null where id = $1', [actions[0]]);
      await later(max);
    }
    await reaches(actions[0]!, 'done');
    expect(attempts).toEqual([1, 2, 3]);
    expect(await history(key)).toEqual([['charge.done', { result: null }]]);
  });

  it('too often is an event and a dead letter', async () => {
    const run = async () => Promise.reject(new Error('no answer'));
    const { key, actions } = await ask('order-9', 'charge');
    start({ charge: { run, attempts: 3, firstWait: 0 } });
    await reaches(actions[0]!, 'failed');
    expect(await history(key)).toEqual([['charge.failed', { error: 'no answer', attempts: 3 }]]);
    expect(await letters(actions[0]!)).toEqual([
      { kind: 'action', state: 'open', path: `${kind}/order-9 charge` },
    ]);
  });

  it.each([
    ['an error of ours that says so', new SeineError('permission', 'card refused'), 'card refused'],
    ['any error that says so', Object.assign(new Error('card refused'), { retry: false }), 'card refused'],
    ['a thrown value that says so', { retry: false, toString: () => 'odd' }, 'odd'],
  ])('for a reason that stays is not tried again: %s', async (_, thrown, error) => {
    const { key, actions } = await ask('a', 'charge');
    start({ charge: () => Promise.reject(thrown) });
    await reaches(actions[0]!, 'failed');
    expect(await history(key)).toEqual([['charge.failed', { error, attempts: 1 }]]);
  });

  it('for good is written as a whole or not at all', async () => {
    const { key, actions } = await ask('a', 'charge');
    await db.query(`
      create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'no letters today'; end $$;
      create trigger refuse before insert on dead_letter execute function refuse()`);
    const charge = () => Promise.reject(new SeineError('permission', 'card refused'));
    start({ charge });
    await until(() => runners.errors.length > 0);
    expect(await history(key)).toEqual([]);
    const reason = 'Its result could not be stored: no letters today';
    await until(async () => (await readAction(db, actions[0]!)).error === reason);
    expect(await readAction(db, actions[0]!)).toMatchObject({ state: 'waiting', crashes: 0 });
    await db.query('drop trigger refuse on dead_letter');
    await later(LEASE + 1000);
    await reaches(actions[0]!, 'failed');
    expect(await history(key)).toHaveLength(1);
    expect(await letters(actions[0]!)).toHaveLength(1);
  });

  it('to write one result does not keep the others from being written', async () => {
    await db.query(`
      create or replace function refuse_odd() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
      create trigger refuse_odd before insert on event for each row when (new.type = 'odd.done') execute function refuse_odd()`);
    const go = gate();
    const run = () => go.opened;
    const { key, actions } = await ask('a', 'odd', 'even', 'even');
    start({ odd: run, even: run });
    for (const id of actions) await reaches(id, 'running');
    go.open();
    await reaches(actions[1]!, 'done');
    await reaches(actions[2]!, 'done');
    await reaches(actions[0]!, 'waiting');
    await db.query('drop trigger refuse_odd on event');
    expect(await history(key)).toHaveLength(2);
    expect((await readAction(db, actions[0]!)).error).toMatch(/could not be stored: not this one$/);
  });

  it('of every process that ran it ends it without another run', async () => {
    const { key, actions } = await ask('a', 'deadly');
    await db.query('update action set attempts = 2 where id = $1', [actions[0]]);
    let runs = 0;
    start({ deadly: { run: async () => void runs++, attempts: 2 } });
    await reaches(actions[0]!, 'failed');
    expect(runs).toBe(0);
    const error = 'The runner crashed on every attempt.';
    expect(await history(key)).toEqual([['deadly.failed', { error, attempts: 2 }]]);
  });
});

describe('a time limit', () => {
  it('ends the try of an action that does not heed its signal', async () => {
    const signals: AbortSignal[] = [];
    const run = (_: unknown, { signal }: ActionContext) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const { key, actions } = await ask('a', 'charge');
    start({ charge: { run, timeout: 20, attempts: 2, firstWait: 0 } });
    await reaches(actions[0]!, 'failed');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(await history(key)).toEqual([
      ['charge.failed', { error: 'It took longer than 20 ms.', attempts: 2 }],
    ]);
  });
});

describe('a result', () => {
  it.each([
    ['is not JSON', 10n, /^The result of charge can't be written as JSON/],
    ['is a function', () => 1, /^The result of charge can't be written as JSON/],
    [
      'is too large for an event',
      'x'.repeat(MAX_EVENT_BYTES),
      /^The result of charge has \d+ bytes; the maximum is \d+/,
    ],
  ])('that %s fails the action for good, and says so', async (_, result, reason) => {
    const { key, actions } = await ask('a', 'charge');
    start({ charge: async () => result });
    await reaches(actions[0]!, 'failed');
    expect(await history(key)).toEqual([
      ['charge.failed', { error: expect.stringMatching(reason), attempts: 1 }],
    ]);
  });

  it('of the largest size there may be is kept', async () => {
    const { key, actions } = await ask('a', 'charge');
    const result = 'x'.repeat(MAX_EVENT_BYTES - 18);
    start({ charge: async () => result });
    await reaches(actions[0]!, 'done');
    expect(await history(key)).toEqual([['charge.done', { result }]]);
  });

  it('waits for a database that is away', async () => {
    const way = disconnectable(db);
    const { key, actions } = await ask('a', 'charge');
    let runs = 0;
    const charge = async () => {
      await later(-HOUR); // its hold is good for long
      way.cut = runs++ === 0;
      return 7;
    };
    start({ charge }, { on: way, leaseMs: 300 });
    await until(() => runners.errors.some((error) => error.startsWith('ending actions')));
    way.cut = false;
    await reaches(actions[0]!, 'done');
    await later(HOUR);
    expect(runs).toBe(1);
    expect(await history(key)).toEqual([['charge.done', { result: 7 }]]);
  });

  it('whose acknowledgement was lost is written once', async () => {
    let lost = 0;
    const tx: Database['tx'] = async (work) => {
      let ends = false;
      const answer = await db.tx((inner) =>
        work({
          ...inner,
          query: (sql, params, name) => {
            ends ||= name === 'end_actions';
            return inner.query(sql, params, name);
          },
        }),
      );
      if (ends && lost++ === 0) throw new SeineError('unavailable', 'The connection broke.');
      return answer;
    };
    const { key } = await ask('a', 'charge');
    const actions = start({ charge: async () => 7 }, { on: { ...db, tx } });
    await until(() => lost === 2);
    await actions.stop(LEASE);
    expect(await history(key)).toEqual([['charge.done', { result: 7 }]]);
  });
});
