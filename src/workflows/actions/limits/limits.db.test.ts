/** Limits of concurrency and rate, over all processes and by key. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { movableClock } from '../../../../test/support/clock.ts';
import { freshDatabase } from '../../../../test/support/database.ts';
import { type Database, many } from '../../../db/database.ts';
import {
  gate,
  historyOf,
  LEASE,
  processes,
  reaches,
  readAction,
  requestActions,
  until,
  workflowWith,
} from '../action.fixture.ts';
import type { Action } from '../action.ts';
import type { Actions } from '../actions-options.ts';
import { storedLimitKey } from './limit-key.ts';

let db: Database;
let later: (ms: number) => Promise<void>;
let kind: string;
let runners: ReturnType<typeof processes>;
beforeAll(async () => {
  db = await freshDatabase(12);
  later = await movableClock(db);
  runners = processes(db);
});
beforeEach(() => {
  kind = `k${randomUUID()}`;
});
afterEach(() => {
  expect(runners.errors).toEqual([]);
  return runners.stop();
});
afterAll(() => db.close());

interface Payment {
  readonly customer?: unknown;
}
const byCustomer = ({ customer }: Payment) => customer as string;

/** Asks for actions as a reaction does, which stores what their limits are counted by. */
function ask(id: string, actions: Readonly<Record<string, Action>>, ...batch: readonly [string, unknown][]) {
  return requestActions(
    db,
    kind,
    id,
    batch.map(([name, input]) => ({ name, input, limitKey: storedLimitKey(actions[name], input) })),
  );
}

const times = (n: number, name: string, input: unknown = null) =>
  Array.from({ length: n }, (): [string, unknown] => [name, input]);
const running = () => many(db, `select from action where workflow = $1 and state = 'running'`, [kind]);
const inState = (state: string) =>
  many<{ name: string }>(db, 'select name from action where workflow = $1 and state = $2', [kind, state]);

describe('a limit of concurrency', () => {
  it('holds over all processes', async () => {
    let [now, max] = [0, 0];
    const run = async () => {
      max = Math.max(max, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
    };
    const actions = { charge: { run, concurrency: 3 } };
    await ask('a', actions, ...times(60, 'charge'));
    for (let n = 0; n < 4; n++) runners.start(workflowWith(kind, actions));
    await until(async () => (await inState('done')).length === 60);
    expect(max).toBeLessThanOrEqual(3);
    expect(max).toBeGreaterThan(0);
  });

  it('is used fully: the next action begins when one ends, not after the polling interval', async () => {
    const actions = { charge: { run: async () => 1, concurrency: 2 } };
    const { actions: ids } = await ask('a', actions, ...times(7, 'charge'));
    runners.start(workflowWith(kind, actions), { pollMs: 600_000 });
    for (const id of ids) await reaches(db, id, 'done');
  });

  it.each(['ends', 'is given back'])('is used by another process, too, when an action %s', async (how) => {
    const [charged, mailed] = [gate(), gate()];
    const charge: Action = { run: () => charged.opened, concurrency: 1 };
    const own = { charge, mail: () => mailed.opened };
    const { actions: ids } = await ask(
      'a',
      own,
      ['charge', null],
      ['charge', null],
      ['mail', null],
      ['other', null],
    );
    let other: Actions | null = null;
    const first = runners.start(workflowWith(kind, own), {
      concurrency: 1,
      pollMs: 600_000,
      freed: () => other?.wake(),
    });
    await reaches(db, ids[0]!, 'running');
    other = runners.start(workflowWith(kind, { charge, other: async () => 1 }), { pollMs: 600_000 });
    await reaches(db, ids[3]!, 'done'); // it has polled, and the limit had no room
    if (how === 'ends') charged.open();
    else await first.stop(0);
    charged.open();
    await reaches(db, ids[1]!, 'done'); // the room of the first one is taken by the mail
    mailed.open();
  });

  it('of one key delays neither other keys nor other actions', async () => {
    const slow = gate();
    const run = ({ customer }: Payment) => (customer === 'busy' ? slow.opened : Promise.resolve());
    const actions = { charge: { run, concurrency: 2, limitKey: byCustomer }, mail: async () => null };
    await ask('a', actions, ...times(500, 'charge', { customer: 'busy' }));
    const { actions: others } = await ask('b', actions, ['charge', { customer: 'idle' }], ['mail', null]);
    runners.start(workflowWith(kind, actions));
    for (const id of others) await reaches(db, id, 'done');
    expect(await running()).toHaveLength(2);
    slow.open();
  });

  it('counts holds, not processes: what a dead one held is free when it expires', async () => {
    const actions = { charge: { run: async () => 1, concurrency: 1 } };
    const { actions: ids } = await ask('a', actions, ...times(2, 'charge'));
    await db.query(
      `update action set state = 'running', holder = gen_random_uuid(), expires_at = clock() + interval '1 minute' where id = $1`,
      [ids[0]],
    );
    runners.start(workflowWith(kind, actions));
    await later(30_000);
    expect(await readAction(db, ids[1]!)).toMatchObject({ state: 'waiting', token: 0 });
    await later(31_000);
    for (const id of ids) await reaches(db, id, 'done');
  });

  it('holds in a process whose event loop was blocked for longer than its lease', async () => {
    const wait = gate();
    let [now, max] = [0, 0];
    const run = async () => {
      max = Math.max(max, ++now);
      await wait.opened;
      now--;
    };
    const actions = { charge: { run, concurrency: 1 }, mail: async () => null };
    const { actions: ids } = await ask('a', actions, ...times(2, 'charge'));
    runners.start(workflowWith(kind, actions));
    await until(() => now === 1);
    await later(LEASE + 1000);
    const { actions: after } = await ask('b', actions, ['mail', null]);
    await reaches(db, after[0]!, 'done'); // so it has claimed since
    expect(await running()).toHaveLength(1);
    wait.open();
    for (const id of ids) await reaches(db, id, 'done');
    expect(max).toBe(1);
  });

  it('also limits suspects, and actions requested before there was a limit', async () => {
    const wait = gate();
    const actions = { charge: { run: () => wait.opened, concurrency: 1 } };
    const { actions: ids } = await requestActions(
      db,
      kind,
      'a',
      times(3, 'charge').map(([name]) => ({ name })),
    );
    await db.query('update action set crashes = 2 where id = $1', [ids[2]]);
    runners.start(workflowWith(kind, actions), { holder: randomUUID() });
    runners.start(workflowWith(kind, actions), { holder: randomUUID() });
    await until(async () => (await running()).length > 0);
    wait.open();
    for (const id of ids) await reaches(db, id, 'done');
    const keys = await many(db, 'select distinct limit_key as key from action where workflow = $1', [kind]);
    expect(keys).toEqual([{ key: '*' }]);
  });

  it('that a later version takes away leaves nothing behind', async () => {
    const { actions: ids } = await ask(
      'a',
      { charge: { run: async () => 1, concurrency: 1 } },
      ...times(3, 'charge'),
    );
    runners.start(workflowWith(kind, { charge: async () => 1 }));
    for (const id of ids) await reaches(db, id, 'done');
  });
});

describe('many saturated limits', () => {
  it('delay the free one behind them by one poll at most', async () => {
    const wait = gate();
    const actions: Record<string, Action> = {};
    for (let n = 0; n < 50; n++) actions[`plain${n}`] = async () => 1;
    actions.charge = { run: () => wait.opened, concurrency: 1, limitKey: byCustomer };
    const busy = Array.from({ length: 1000 }, (_, n) => `busy${n}`);
    for (let part = 0; part < 2; part++)
      await ask(`a${part}`, actions, ...busy.map((customer): [string, unknown] => ['charge', { customer }]));
    await db.query(
      `update action set state = 'running', holder = gen_random_uuid(), expires_at = clock() + interval '1 minute'
       where workflow = $1 and workflow_key = (select key from workflow where name = $1 and id = 'a0')`,
      [kind],
    );
    const { actions: ids } = await ask('b', actions, ['charge', { customer: 'idle' }]);
    wait.open();
    runners.start(workflowWith(kind, actions), { pollMs: 600_000 }); // one poll of its own
    await reaches(db, ids[0]!, 'done');
  });
});

describe('a rate', () => {
  it('is used fully: the next attempt starts when its token is available, not at the next poll', async () => {
    const rate = { limit: 100, per: { seconds: 1 }, burst: 1 };
    const actions = { charge: { run: async () => 1, rate } };
    await ask('a', actions, ...times(5, 'charge'));
    runners.start(workflowWith(kind, actions), { pollMs: 600_000 });
    for (let n = 1; n <= 5; n++) {
      await until(async () => (await inState('done')).length === n);
      await later(10);
    }
  });

  it('lets a full bucket go at once, then as many as time brings, over all processes', async () => {
    const actions = { charge: { run: async () => 1, rate: { limit: 10, per: { minutes: 1 } } } };
    await ask('a', actions, ...times(40, 'charge'));
    for (let n = 0; n < 3; n++) runners.start(workflowWith(kind, actions));
    await until(async () => (await inState('done')).length === 10);
    await later(5999);
    await looksAgain();
    expect(await inState('done')).toHaveLength(10);
    await later(1);
    await until(async () => (await inState('done')).length === 11);
    await later(18_000);
    await until(async () => (await inState('done')).length === 14);
    await later(3_600_000);
    await until(async () => (await inState('done')).length === 24);
  });

  it('has a bucket of the requested size for each key', async () => {
    const rate = { limit: 60, per: { minutes: 1 }, burst: 1 };
    const actions = { charge: { run: async () => 1, rate, limitKey: byCustomer } };
    await ask('a', actions, ...['x', 'y', 'z'].flatMap((customer) => times(3, 'charge', { customer })));
    runners.start(workflowWith(kind, actions));
    await until(async () => (await inState('done')).length === 3);
    await looksAgain();
    expect(await inState('done')).toHaveLength(3);
    await later(1000);
    await until(async () => (await inState('done')).length === 6);
  });

  it('counts as full when the clock was set back', async () => {
    const actions = { charge: { run: async () => 1, rate: { limit: 1, per: { minutes: 1 } } } };
    await ask('a', actions, ...times(2, 'charge'));
    runners.start(workflowWith(kind, actions));
    await until(async () => (await inState('done')).length === 1);
    await db.query(`update action set due_at = clock() - interval '1 day' where workflow = $1`, [kind]);
    await later(-3_600_000);
    await until(async () => (await inState('done')).length === 2);
  });
});

describe('a limit key', () => {
  it.each<[string, Action, RegExp]>([
    [
      'throws',
      limitedBy(() => {
        throw new Error('no customer');
      }),
      /^limitKey failed: no customer$/,
    ],
    ['is undefined', limitedBy(() => undefined), /^limitKey failed: .* it is undefined/],
    ['is empty', limitedBy(() => ''), /it is empty/],
    ['is an object', limitedBy(() => ({})), /it is object/],
    ['is no number', limitedBy(() => Number.NaN), /it is NaN/],
    ['is a promise', limitedBy(async () => 'x'), /it is a promise/],
    ['is a promise that rejects', limitedBy(() => Promise.reject(new Error('unhandled'))), /it is a promise/],
    [
      'is an object of promises that reject',
      limitedBy(() => ({ key: Promise.reject(new Error('unhandled')) })),
      /it is object/,
    ],
    ['is too long', limitedBy(() => 'x'.repeat(2000)), /2000 bytes/],
    ['holds a zero', limitedBy(() => 'a\0'), /zero character/],
  ])('that %s fails its action for good', async (_, charge, reason) => {
    const { key, actions } = await ask('a', { charge }, ['charge', { customer: 1 }]);
    runners.start(workflowWith(kind, { charge }));
    await reaches(db, actions[0]!, 'failed');
    expect(await historyOf(db, key)).toEqual([
      ['charge.failed', { error: expect.stringMatching(reason), attempts: 1 }],
    ]);
  });
});

describe('a limit key that changes its input', () => {
  it('does not change what the action gets', async () => {
    const limitKey = (input: { customer?: string }) => {
      const { customer } = input;
      delete input.customer;
      return customer!;
    };
    const actions = { charge: { run: async (input: Payment) => input, concurrency: 1, limitKey } };
    const { actions: ids } = await ask('a', actions, ['charge', { customer: 'x' }]);
    runners.start(workflowWith(kind, actions));
    await reaches(db, ids[0]!, 'done');
    expect(await readAction(db, ids[0]!)).toMatchObject({ result: { customer: 'x' } });
  });
});

function limitedBy(limitKey: (input: unknown) => unknown): Action {
  return { run: async () => 1, concurrency: 5, limitKey: limitKey as () => string };
}

/** A process polls again after 20 ms: an action that comes later has been claimed. */
async function looksAgain(): Promise<void> {
  const other = `k${randomUUID()}`;
  const { actions } = await requestActions(db, other, 'a', [{ name: 'any' }]);
  runners.start(workflowWith(other, { any: async () => 1 }));
  await reaches(db, actions[0]!, 'done');
}
