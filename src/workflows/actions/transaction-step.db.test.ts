/** Actions that write to the same database, in the transaction that ends them. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many } from '../../db/database.ts';
import { openDatabase } from '../../db/pool.ts';
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
import type { ActionsOptions } from './actions-options.ts';

type Work = Extract<Action, { transaction: unknown }>['transaction'];

let db: Database & { readonly url: string };
let later: (ms: number) => Promise<void>;
let kind: string;
let runners: ReturnType<typeof processes>;
beforeAll(async () => {
  db = await freshDatabase(10);
  later = await movableClock(db);
  runners = processes(db);
  await db.query('create table public.seat (id text primary key, by text not null)');
});
beforeEach(async () => {
  kind = `k${randomUUID()}`;
  await db.query('truncate public.seat');
});
afterEach(() => runners.stop());
afterAll(() => db.close());

const start = (
  transaction: Work,
  more: object = {},
  options: Partial<ActionsOptions> & { on?: Database } = {},
) =>
  runners.start(
    workflowWith(kind, { book: { transaction, attempts: 3, firstWait: 0, mostWait: 0, ...more } }),
    options,
  );

async function ask() {
  const { key, actions } = await requestActions(db, kind, 'order-1', [
    { name: 'book', input: { seat: '7a' } },
  ]);
  return { key, id: actions[0]! };
}

const seats = () => many<{ id: string; by: string }>(db, 'select id, by from public.seat order by id');
const take: Work = (tx, { seat }: { seat: string }, { idempotencyKey }) =>
  tx.query('insert into seat values ($1, $2)', [seat, idempotencyKey]);

describe('a transaction', () => {
  it('commits what it writes together with the event, and wakes the reactions', async () => {
    const { key, id } = await ask();
    const endedKeys: number[] = [];
    const book: Work = async (tx, { seat }: { seat: string }, { attempt, workflow }) => {
      const { rows, rowCount } = await tx.query<{ id: string }>(
        'insert into seat values ($1, $2) returning id',
        [seat, workflow.id],
      );
      return { rows, rowCount, attempt };
    };
    start(book, {}, { ended: (keys) => endedKeys.push(...keys) });
    await until(() => endedKeys.length > 0);
    expect(await seats()).toEqual([{ id: '7a', by: 'order-1' }]);
    const result = { rows: [{ id: '7a' }], rowCount: 1, attempt: 1 };
    expect(await historyOf(db, key)).toEqual([['book.done', { result }]]);
    expect(await readAction(db, id)).toMatchObject({ state: 'done', result });
    expect(endedKeys).toEqual([key]);
  });

  it('that fails is rolled back alone, and tried again', async () => {
    const { key, id } = await ask();
    let tries = 0;
    start(async (tx, input, context) => {
      await take(tx, input, context);
      if (++tries === 1) throw new Error('not yet');
    });
    await reaches(db, id, 'done');
    expect(tries).toBe(2);
    expect(await seats()).toHaveLength(1);
    expect(await historyOf(db, key)).toEqual([['book.done', { result: null }]]);
  });

  it('that violates a constraint fails when its attempts are used up', async () => {
    await db.query(`insert into public.seat values ('7a', 'another')`);
    const { key, id } = await ask();
    start(take);
    await reaches(db, id, 'failed');
    const error = 'duplicate key value violates unique constraint "seat_pkey"';
    expect(await historyOf(db, key)).toEqual([['book.failed', { error, attempts: 3 }]]);
  });

  it('whose statement failed unnoticed is rolled back, and tried again', async () => {
    const { id } = await ask();
    let tries = 0;
    start(async (tx, input, context) => {
      await take(tx, input, context);
      if (++tries < 3) await tx.query('select 1 / 0').catch(() => {});
    });
    await reaches(db, id, 'done');
    expect(tries).toBe(3);
    expect(await seats()).toHaveLength(1);
  });

  it('whose action was taken over writes nothing', async () => {
    const way = disconnectable(db);
    const { key, id } = await ask();
    const [begun, go] = [gate(), gate()];
    start(
      async (tx) => {
        await tx.query(`insert into seat values ('zombie', '')`);
        begun.open();
        await go.opened;
      },
      {},
      { on: { ...way, tx: (work) => db.tx(work) } as Database },
    );
    await begun.opened;
    way.cut = true;
    await later(LEASE + 1000);
    start(take);
    await reaches(db, id, 'done');
    go.open();
    await until(async () => (await openTransactions()) === 0);
    expect((await seats()).map(({ id: seat }) => seat)).toEqual(['7a']);
    expect(await historyOf(db, key)).toHaveLength(1);
  });

  it.each([
    ['a statement takes longer than the work allows', 'statement_timeout', '57014'],
    ['a row is locked for longer than the work waits', 'lock_timeout', '55P03'],
  ])('fails when %s, and its tries are counted', async (_, setting, code) => {
    await db.query(`insert into public.seat values ('7a', 'another')`);
    const { id } = await ask();
    const codes: unknown[] = [];
    await db.tx(async (tx) => {
      await tx.query('select from public.seat for update');
      start(async (own) => {
        await own.query(`set local ${setting} to 20`);
        const waits = own.query(`update seat set by = 'me' where id = '7a'`);
        return waits.catch((error) => {
          codes.push(error.cause.code);
          throw error;
        });
      });
      await reaches(db, id, 'failed');
    });
    expect(codes).toEqual([code, code, code]);
  });

  it('that meets another one at a higher isolation level is tried again at once', async () => {
    await db.query(`insert into public.seat values ('count', '0')`);
    const asked = await requestActions(
      db,
      kind,
      'order-1',
      Array.from({ length: 8 }, () => ({ name: 'book' })),
    );
    start(
      async (tx) => {
        await tx.query('set transaction isolation level repeatable read');
        const { rows } = await tx.query<{ by: string }>(`select by from seat where id = 'count'`);
        await tx.query(`update seat set by = $1 where id = 'count'`, [String(Number(rows[0]!.by) + 1)]);
      },
      { attempts: 20 },
    );
    for (const id of asked.actions) await reaches(db, id, 'done');
    expect(await seats()).toEqual([{ id: 'count', by: '8' }]);
  });

  it('at a higher isolation level ends in one attempt, although its workflow changes all the time', async () => {
    const { key, id } = await ask();
    let isOver = false;
    let changes = 0;
    const busy = (async () => {
      for (; !isOver; changes++)
        await db.query('update workflow set version = version where key = $1', [key]);
    })();
    start(
      async (tx) => {
        await tx.query('set transaction isolation level repeatable read');
        await tx.query('select 1');
        const before = changes;
        const giveUp = performance.now() + 500; // its workflow is locked: nothing changes
        await until(() => changes > before + 2 || performance.now() > giveUp);
      },
      { attempts: 1 },
    );
    await until(async () => ['done', 'failed'].includes((await readAction(db, id)).state));
    isOver = true;
    await busy;
    expect(await readAction(db, id)).toMatchObject({ state: 'done', error: null });
  });

  it('whose commit was not acknowledged takes effect once', async () => {
    let lost = 0;
    const tx = async (work: never) => {
      const answer = await db.tx(work);
      if (answer instanceof Set && lost++ === 0) throw new SeineError('unavailable', 'The connection broke.');
      return answer;
    };
    const { key, id } = await ask();
    start(take, {}, { on: { ...db, tx } as Database });
    await reaches(db, id, 'done');
    await until(() => lost > 0);
    expect(await seats()).toHaveLength(1);
    expect(await historyOf(db, key)).toHaveLength(1);
  });
});

describe('a transaction that takes too long', () => {
  it('is rolled back, also in the middle of a statement, and frees its connection', async () => {
    const { key, id } = await ask();
    start(
      async (tx, input, context) => {
        await take(tx, input, context);
        await tx.query('select pg_sleep(30)');
      },
      { timeout: 100, attempts: 1 },
    );
    await reaches(db, id, 'failed');
    expect((await historyOf(db, key))[0]![0]).toBe('book.failed');
    await until(async () => (await openTransactions()) === 0);
    expect(await seats()).toEqual([]);
  });

  it('and never asks anything is rolled back by its time limit', async () => {
    const { key, id } = await ask();
    start(() => new Promise(() => {}), { timeout: 50, attempts: 2 });
    await reaches(db, id, 'failed');
    const error = 'It took longer than 50 ms.';
    expect(await historyOf(db, key)).toEqual([['book.failed', { error, attempts: 2 }]]);
    await until(async () => (await openTransactions()) === 0);
  });

  it('between two statements is ended by the server, and tried again', async () => {
    const impatient = await openDatabase({ databaseUrl: db.url, max: 4, endStandstillMs: 100 });
    const { id } = await ask();
    let tries = 0;
    start(
      async (tx, input, context) => {
        await take(tx, input, context);
        if (++tries === 1) await until(async () => (await openTransactions()) === 0);
        await tx.query('select 1');
      },
      {},
      { on: impatient },
    );
    await reaches(db, id, 'done');
    expect(tries).toBe(2);
    expect(await seats()).toHaveLength(1);
    await runners.stop();
    await impatient.close();
  });
});

describe('a transaction may not', () => {
  it.each([
    'commit',
    ' BEGIN',
    'rollback',
    'end',
    'abort',
    'start transaction',
    'select 1; commit',
    'reset all',
  ])('control itself: %s', async (sql) => {
    const { key, id } = await ask();
    start(async (tx) => tx.query(sql).then(() => tx.query('select 1')));
    await reaches(db, id, 'failed');
    const error = expect.stringContaining('book begins or ends a transaction');
    expect(await historyOf(db, key)).toEqual([['book.failed', { error, attempts: 1 }]]);
  });

  it('ask for anything when it has ended', async () => {
    const { id } = await ask();
    let stray: unknown;
    const asked = gate();
    start(async (tx) => {
      void asked.opened
        .then(() => tx.query('select 1'))
        .catch((error) => {
          stray = error;
        });
    });
    await reaches(db, id, 'done');
    asked.open();
    await until(() => stray !== undefined);
    expect(stray).toMatchObject({ message: 'The transaction of book has ended.' });
  });
});

describe('a transaction may', () => {
  it('use savepoints, change its search path, and give up for good', async () => {
    const { key, id } = await ask();
    start(async (tx) => {
      await tx.query('savepoint a');
      await tx.query('select 1 / 0').catch(() => {});
      await tx.query('rollback to a');
      await tx.query('set local search_path to public');
      return 'ok';
    });
    await reaches(db, id, 'done');
    expect(await historyOf(db, key)).toEqual([['book.done', { result: 'ok' }]]);
    const second = await ask2();
    start(() => Promise.reject(Object.assign(new Error('sold out'), { retry: false })));
    await reaches(db, second, 'failed');
    expect(await readAction(db, second)).toMatchObject({ attempts: 1, error: 'sold out' });
  });
});

describe('a transaction leaves its connection as it was, although it', () => {
  it.each<[string, string[]]>([
    ['sets the search path of the session', ['set search_path to shop']],
    ['sets it by set_config', [`select set_config('search_path', 'shop', false)`]],
    ['sets it in a function', [`do $$ begin perform set_config('search_path', 'shop', false); end $$`]],
    ['sets a time zone', [`set timezone to 'Asia/Tokyo'`]],
    ['sets a time limit for statements', ['set statement_timeout to 100']],
    ['makes transactions read-only', ['set default_transaction_read_only to on']],
    ['takes a role', ['set role zz_clerk']],
    ['takes a session-level lock', ['select pg_advisory_lock(4711)']],
    ['listens', ['listen foo']],
    [
      'makes temporary tables named like ours',
      ['create temp table action (x int)', 'create temp table event (x int)'],
    ],
    ['holds a cursor', ['declare c cursor with hold for select 1']],
    ['forgets prepared statements', ['deallocate all']],
  ])('%s', async (_, statements) => {
    await db.query(`do $$ begin create role zz_clerk; exception when duplicate_object then null; end $$`);
    const one = await openDatabase({ databaseUrl: db.url, max: 1, preferIndexes: true });
    const before = await sessionOf(one);
    const { key, id } = await ask();
    start(
      async (tx, _input, { attempt }) => {
        for (const sql of statements) await tx.query(sql);
        if (attempt === 1) throw new Error('not yet');
      },
      { attempts: 3 },
      { on: one },
    );
    await reaches(db, id, 'done');
    expect(await historyOf(db, key)).toEqual([['book.done', { result: null }]]);
    expect(
      runners.errors.filter((error) => !error.includes('A prepared statement of this connection')),
    ).toEqual([]);
    await runners.stop();
    expect(await sessionOf(one)).toEqual(before);
    await one.close();
  });
});

/** What statements of the next in line depend on. */
async function sessionOf(connection: Database) {
  const { rows } = await connection.query(
    `select current_user as role, current_setting('timezone') as zone, current_setting('search_path') as path,
            current_setting('statement_timeout') as limit, current_setting('transaction_read_only') as read_only,
            current_setting('enable_seqscan') as seqscan, current_setting('client_encoding') as encoding,
            (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,
            (select count(*) from pg_cursors where is_holdable) as cursors,
            (select count(*) from pg_listening_channels()) as channels,
            to_regclass('pg_temp.action') as temp`,
  );
  return rows[0];
}

async function ask2(): Promise<number> {
  await runners.stop();
  return (await requestActions(db, kind, 'order-2', [{ name: 'book' }])).actions[0]!;
}

/** Of other connections. */
async function openTransactions(): Promise<number> {
  const { rowCount } = await db.query(
    `select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state in ('idle in transaction', 'idle in transaction (aborted)')`,
  );
  return rowCount;
}

describe('an error of the database that the action rethrows', () => {
  it.each([
    ['with retry: false is final', true, 1],
    ['as it was is tried again', false, 3],
  ])('%s', async (_, isFinal, attempts) => {
    await db.query(`insert into public.seat values ('7a', 'another')`);
    const { id } = await ask();
    start((tx, input, context) =>
      (take(tx, input, context) as Promise<unknown>).catch((error) => {
        throw isFinal ? Object.assign(error as object, { retry: false }) : error;
      }),
    );
    await reaches(db, id, 'failed');
    expect(await readAction(db, id)).toMatchObject({ attempts });
  });
});

describe('transactions that are slow', () => {
  it.each([
    [3, 1],
    [4, 2],
    [8, 4],
  ])('with %i connections, at most %i run at a time, and other actions continue', async (max, most) => {
    const few = await openDatabase({ databaseUrl: db.url, max, connectMs: 1000 });
    const wishes = Array.from({ length: 8 }, () => ({ name: 'book', input: null }));
    const { actions: ids } = await requestActions(db, kind, 'slow', wishes);
    const slow = gate();
    let [now, seen] = [0, 0];
    const transaction: Work = async (tx) => {
      await tx.query('select 1');
      seen = Math.max(seen, ++now);
      await slow.opened;
      now--;
    };
    runners.start(workflowWith(kind, { book: { transaction }, quick: async () => 1 }), {
      on: few,
      concurrency: 20,
    });
    await until(() => now === most);
    const { actions: quick } = await requestActions(db, kind, 'quick', [
      { name: 'quick' },
      { name: 'quick' },
    ]);
    for (const id of quick) await reaches(db, id, 'done');
    slow.open();
    for (const id of ids) await reaches(db, id, 'done');
    expect(seen).toBe(most);
    expect(runners.errors).toEqual([]);
    await runners.stop();
    await few.close();
  });
});
