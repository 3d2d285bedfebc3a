/** Actions that end their process, and those that ran beside them. A process dies here by losing its way to the database. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many, type Tx } from '../../db/database.ts';
import { CodeLock } from '../user-code/code-lock.ts';
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
import type { Action } from './action.ts';
import { requeueActions } from './action-dead-letter-store.ts';

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
  kind = `k${randomUUID()}`;
});
afterEach(() => runners.stop());
afterAll(() => db.close());

const ask = (id: string, ...names: string[]) =>
  requestActions(
    db,
    kind,
    id,
    names.map((name) => ({ name })),
  );
/** A process that crashes on request; its leases expire. */
async function livesAndDies(
  actions: Record<string, Action>,
  dead: { readonly opened: Promise<void> },
): Promise<void> {
  const way = disconnectable(db);
  runners.start(workflowWith(kind, actions), { on: way });
  await dead.opened;
  way.cut = true;
  await later(LEASE + 1000);
}

describe('an action that ends its process', () => {
  it('becomes a dead letter, and its neighbours lose no attempt', async () => {
    const { key, actions } = await ask('order-1', 'boom', ...Array<string>(20).fill('slow'));
    const open = () => many(db, `select from action where workflow = $1 and ended_at is null`, [kind]);
    let deaths = 0;
    const ended = until(async () => (await open()).length === 0);
    for (; (await open()).length > 0; deaths++) {
      const way = disconnectable(db);
      const over = gate();
      const boom = () => {
        way.cut = true;
        over.open();
        return new Promise(() => {});
      };
      const slow = () => sleep(20).then(() => (way.cut ? new Promise(() => {}) : 'ok'));
      runners.start(workflowWith(kind, { boom, slow: { run: slow, attempts: 1 } }), {
        on: way,
      });
      await Promise.race([over.opened, ended]);
      way.cut = true;
      await later(LEASE + 1000);
    }
    expect(deaths).toBe(8); // the last ends in order
    const history = await historyOf(db, key);
    expect(history.filter(([type]) => type === 'slow.done')).toHaveLength(20);
    const error =
      'It crashed the process 7 times, 5 times while nothing else ran in it. Correct the action, then retry its dead letter.';
    expect(history.filter(([type]) => type.endsWith('.failed'))).toEqual([
      ['boom.failed', { error, attempts: 7 }],
    ]);
    const letters = await many(db, 'select path, state from dead_letter where action_id = any($1)', [
      actions,
    ]);
    expect(letters).toEqual([{ path: `${kind}/order-1 boom`, state: 'open' }]);
  });
});

describe('a crash', () => {
  const die = async (name = 'charge') => {
    const begun = gate();
    const run = () => {
      begun.open();
      return new Promise(() => {});
    };
    await livesAndDies({ [name]: run }, begun);
  };

  it('is counted when the hold has expired, and takes no attempt', async () => {
    const { actions } = await ask('a', 'charge');
    await die();
    const attempts: number[] = [];
    runners.start(
      workflowWith(kind, { charge: { run: async (_, { attempt }) => attempts.push(attempt), attempts: 1 } }),
    );
    await until(async () => (await readAction(db, actions[0]!)).state === 'done');
    expect(await readAction(db, actions[0]!)).toMatchObject({ attempts: 1, crashes: 1, crashesAlone: 0 });
    expect(attempts).toEqual([2]);
  });

  it('stays counted when the next process gives the action back in order', async () => {
    const { actions } = await ask('a', 'charge');
    await die();
    await die();
    await die();
    expect(await readAction(db, actions[0]!)).toMatchObject({ state: 'running' });
    const begun = gate();
    const process = runners.start(
      workflowWith(kind, { charge: () => Promise.resolve(begun.open()).then(() => new Promise(() => {})) }),
    );
    await begun.opened;
    await process.stop(0);
    expect(await readAction(db, actions[0]!)).toMatchObject({
      state: 'waiting',
      attempts: 0,
      crashes: 3,
      crashesAlone: 1,
    });
  });

  it('of a process that was killed thirty times leaves an action that gets on alive', async () => {
    const { key, actions } = await ask('a', 'import');
    for (let death = 0; death < 30; death++) {
      const begun = gate();
      const run: Action = async (_, { checkpoint }) => {
        await checkpoint.save({
          page: Number((checkpoint.value as { page: number } | undefined)?.page ?? 0) + 1,
        });
        begun.open();
        return new Promise(() => {});
      };
      await livesAndDies({ import: run }, begun);
    }
    runners.start(workflowWith(kind, { import: async (_, { checkpoint }) => checkpoint.value }));
    await until(async () => (await readAction(db, actions[0]!)).state === 'done');
    expect(await historyOf(db, key)).toEqual([['import.done', { result: { page: 30 } }]]);
  });

  it('is forgotten when the dead letter is retried', async () => {
    const { actions } = await ask('a', 'charge');
    for (let n = 0; n < 7; n++) await die();
    runners.start(workflowWith(kind, { charge: async () => 'never' }));
    await until(async () => (await readAction(db, actions[0]!)).state === 'failed');
    await db.tx((tx) => requeueActions(tx, actions));
    await until(async () => (await readAction(db, actions[0]!)).state === 'done');
    expect(await readAction(db, actions[0]!)).toMatchObject({ crashes: 0, crashesAlone: 0, result: 'never' });
  });
});

const askSuspect = (id: string, name: string) => requestActions(db, kind, id, [{ name }], 2);

describe('a suspect', () => {
  it('waits until nothing else runs in its process, and nothing else begins before its end', async () => {
    const first = await ask('a', 'slow');
    const [slow, suspect] = [gate(), gate()];
    const order: string[] = [];
    const actions = {
      slow: () => slow.opened.then(() => void order.push('slow ended')),
      odd: () => {
        order.push('odd began');
        return suspect.opened;
      },
      other: async () => void order.push('other'),
    };
    runners.start(workflowWith(kind, actions));
    await until(async () => (await readAction(db, first.actions[0]!)).state === 'running');
    const { actions: ids } = await askSuspect('b', 'odd');
    await until(async () => (await readAction(db, ids[0]!)).state === 'running');
    const { actions: others } = await ask('c', 'other');
    slow.open();
    await until(() => order.includes('odd began'));
    expect(await readAction(db, others[0]!)).toMatchObject({ state: 'waiting' });
    suspect.open();
    await until(() => order.length === 3);
    expect(order).toEqual(['slow ended', 'odd began', 'other']);
  });

  it('that had not started when its process crashed has no crash counted', async () => {
    const { actions: first } = await ask('a', 'slow');
    const way = disconnectable(db);
    runners.start(workflowWith(kind, { slow: () => new Promise(() => {}), odd: async () => 1 }), { on: way });
    await until(async () => (await readAction(db, first[0]!)).state === 'running');
    const { actions } = await askSuspect('b', 'odd');
    await until(async () => (await readAction(db, actions[0]!)).state === 'running');
    way.cut = true;
    await later(LEASE + 1000);
    runners.start(workflowWith(kind, { odd: async () => 1 }));
    await until(async () => (await readAction(db, actions[0]!)).state === 'done');
    expect(await readAction(db, actions[0]!)).toMatchObject({ crashes: 3, crashesAlone: 0 });
  });

  it('that waits is given back when its process ends in order', async () => {
    const { actions: first } = await ask('a', 'slow');
    const process = runners.start(
      workflowWith(kind, { slow: () => new Promise(() => {}), odd: async () => 1 }),
    );
    await until(async () => (await readAction(db, first[0]!)).state === 'running');
    const { actions } = await askSuspect('b', 'odd');
    await until(async () => (await readAction(db, actions[0]!)).state === 'running');
    await process.stop(0);
    expect(await readAction(db, actions[0]!)).toMatchObject({ state: 'waiting', holder: null, crashes: 2 });
  });
});

describe('a suspect beside reactions and deliveries', () => {
  const besideOthers = async (run: Action, leaseMs = LEASE) => {
    const lock = new CodeLock();
    const { actions } = await askSuspect('a', 'odd');
    const start = () =>
      runners.start(workflowWith(kind, { odd: run, other: async () => 1 }), { lock, leaseMs });
    const isAlone = async () =>
      (await many<{ alone: boolean }>(db, 'select alone from action where id = $1', actions))[0]!.alone;
    return { lock, start, isAlone, id: actions[0]! };
  };

  it('waits until none of them runs, and none of them begins before its end', async () => {
    const [begun, end] = [gate(), gate()];
    const { lock, start, id } = await besideOthers(() =>
      Promise.resolve(begun.open()).then(() => end.opened),
    );
    const reaction = (await lock.acquire('shared'))!;
    start();
    await until(() => lock.isContended);
    expect(await readAction(db, id)).toMatchObject({ state: 'running' }); // reserved, and not started
    reaction();
    await begun.opened;
    expect(await lock.acquire('shared', 0)).toBeNull();
    end.open();
    await reaches(db, id, 'done');
    (await lock.acquire('exclusive'))!(); // the lock is free again
  });

  it('that takes long lets reactions continue, and no later crash is attributed to it', async () => {
    const { lock, start, isAlone } = await besideOthers(() => new Promise(() => {}), 600);
    start();
    await until(isAlone);
    expect(await lock.acquire('shared')).not.toBeNull();
    expect(await isAlone()).toBe(false);
  });

  it('that takes long lets other actions start, too, and is still renewed', async () => {
    const end = gate();
    const { lock, start, isAlone, id } = await besideOthers(() => end.opened, 600);
    start();
    await until(isAlone);
    const { actions: others } = await ask('b', 'other', 'other');
    const release = await lock.acquire('shared');
    release!();
    for (const other of others) await reaches(db, other, 'done');
    expect(await readAction(db, id)).toMatchObject({ state: 'running', crashes: 2 });
    end.open();
    await reaches(db, id, 'done');
    expect(await readAction(db, id)).toMatchObject({ attempts: 1, crashes: 2, crashesAlone: 0 });
  });
});

describe('a conviction', () => {
  it('releases those who were suspects only because they ran beside the cause', async () => {
    const { actions } = await ask('a', 'odd', 'near', 'alone');
    const [odd, near, alone] = actions as [number, number, number];
    await db.query('update action set crashes = 7, crashes_alone = 5 where id = $1', [odd]);
    await db.query(`update action set crashes = 6, due_at = 'infinity' where id = any($1)`, [[near, alone]]);
    await db.query('update action set crashes_alone = 1 where id = $1', [alone]);
    runners.start(workflowWith(kind, { odd: async () => 1, near: async () => 1, alone: async () => 1 }));
    await reaches(db, odd, 'failed');
    await until(async () => (await readAction(db, near)).crashes === 0);
    expect(await readAction(db, alone)).toMatchObject({ crashes: 6, crashesAlone: 1 });
  });
});

describe('a reserved suspect', () => {
  it('is given back when other actions take long, and is run in the end', async () => {
    const slow = gate();
    const { actions: first } = await ask('a', 'slow');
    const actions = { slow: () => slow.opened, odd: async () => 1, other: async () => 2 };
    runners.start(workflowWith(kind, actions), { leaseMs: 1000 });
    await until(async () => (await readAction(db, first[0]!)).state === 'running');
    const { actions: ids } = await askSuspect('b', 'odd');
    await until(async () => (await readAction(db, ids[0]!)).state === 'running');
    const { actions: others } = await ask('c', 'other');
    await until(async () => (await readAction(db, others[0]!)).state === 'done');
    slow.open();
    await until(async () => (await readAction(db, ids[0]!)).state === 'done');
    expect(await readAction(db, ids[0]!)).toMatchObject({ attempts: 1, crashes: 2 });
  });

  it('is not one of a saturated limit, however many those are', async () => {
    const slow = gate();
    const actions = { charge: { run: () => slow.opened, concurrency: 1 }, odd: async () => 1 };
    const batch = Array.from({ length: 31 }, () => ({ name: 'charge', limitKey: '*' }));
    const { actions: charges } = await requestActions(db, kind, 'a', batch);
    runners.start(workflowWith(kind, actions), { concurrency: 1 });
    await until(async () => (await readAction(db, charges[0]!)).state === 'running');
    await db.query('update action set crashes = 2 where id = any($1)', [charges.slice(1)]);
    const { actions: ids } = await askSuspect('b', 'odd');
    runners.start(workflowWith(kind, actions));
    await until(async () => (await readAction(db, ids[0]!)).state === 'done');
    slow.open();
  });
});

describe('suspects with a rate', () => {
  const actions = {
    call: { run: async () => 1, rate: { limit: 100, per: { seconds: 1 } } },
    other: async () => 2,
  };

  it('of one limit are run one after the other, and other actions as well', async () => {
    const { actions: ids } = await requestActions(db, kind, 'a', [
      { name: 'call', limitKey: '*' },
      { name: 'call', limitKey: '*' },
      { name: 'other' },
    ]);
    await db.query('update action set crashes = 2 where id = any($1)', [ids.slice(0, 2)]);
    runners.start(workflowWith(kind, actions));
    for (const id of ids) await until(async () => (await readAction(db, id)).state === 'done');
    expect(runners.errors).toEqual([]);
  });

  it('that cannot be claimed are reported, and hold back no other action', async () => {
    const { actions: ids } = await requestActions(db, kind, 'a', [
      { name: 'call', limitKey: '*' },
      { name: 'other' },
    ]);
    await db.query('update action set crashes = 2 where id = $1', [ids[0]]);
    const tx = async (work: (tx: Tx) => Promise<unknown>) => {
      return db.tx((inner) =>
        work({
          ...inner,
          query: (sql, ...more) => {
            if (/action_rate/.test(sql)) throw new SeineError('internal', 'No bucket can be written.');
            return inner.query<never>(sql, ...more);
          },
        }),
      );
    };
    runners.start(workflowWith(kind, actions), { on: { ...db, tx } as Database });
    await until(async () => (await readAction(db, ids[1]!)).state === 'done');
    expect(runners.errors).toContain('claiming actions: No bucket can be written.');
  });
});
