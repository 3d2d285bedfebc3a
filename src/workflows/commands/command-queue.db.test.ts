import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase, hasLockWaiter } from '../../../test/support/database.ts';
import { faultyDatabase } from '../../../test/support/faulty-database.ts';
import { type PgBouncer, startPgBouncer, whyNoPgBouncer } from '../../../test/support/servers/pgbouncer.ts';
import { type Database, many, one } from '../../db/database.ts';
import { openDatabase } from '../../db/pool.ts';
import { WorkflowClient } from '../client.ts';
import { cancelWorkflow, pauseWorkflow, resumeWorkflow } from '../control/control.ts';
import { type CounterCommand, counter } from '../counter.fixture.ts';
import { defineWorkflow } from '../define.ts';
import { deliverDue } from '../messages/deliver.ts';
import { addMessages } from '../messages/message-store.ts';
import type { CommandQueueOptions } from './command-queue.ts';

let db: Database & { url: string };
let other: Database;
const opened: Database[] = [];
beforeAll(async () => {
  db = await freshDatabase(8);
  other = await openDatabase({ databaseUrl: db.url, max: 8 });
});
afterAll(async () => {
  for (const one of opened) await one.close();
  await other.close();
  await db.close();
});

const tenant = 'default';
const add = (n = 1): CounterCommand => ({ type: 'add', n });

/** A client, and the names of its statements. */
function watchedClient(options: CommandQueueOptions = {}, on: Database = db) {
  const statements: string[] = [];
  const named =
    (query: Database['query']): Database['query'] =>
    (sql, params, name) => {
      if (!sql.includes('pg_notify')) statements.push(name ?? sql);
      return query(sql, params, name);
    };
  const watched: Database = {
    ...on,
    query: named(on.query),
    tx: (work) => on.tx((tx) => work({ ...tx, query: named(tx.query) })),
  };
  return { client: new WorkflowClient(watched, tenant, options), statements };
}

function storedNumbers(name: string, id = 'a'): Promise<number[]> {
  return many<{ n: number }>(
    db,
    `select (data ->> 'n')::int as n from event join workflow on key = workflow_key
     where name = $1 and id = $2 order by event.version`,
    [name, id],
  ).then((rows) => rows.map(({ n }) => n));
}

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

/** A database on which another command comes before each append, unless the workflow is locked: then it comes after. */
function alwaysOvertaken(send: () => Promise<unknown>): { overtaken: Database; sent: Promise<unknown>[] } {
  const sent: Promise<unknown>[] = [];
  const after =
    (query: Database['query']): Database['query'] =>
    async (sql, params, name) => {
      if (name?.startsWith('append')) {
        const sending = send();
        sent.push(sending);
        await Promise.race([sending, hasLockWaiter(db)]);
      }
      return query(sql, params, name);
    };
  const overtaken: Database = {
    ...db,
    query: after(db.query),
    tx: (work) => db.tx((tx) => work({ ...tx, query: after(tx.query) })),
  };
  return { overtaken, sent };
}

describe('many senders to one workflow', () => {
  it('in one process are all accepted, in few statements', async () => {
    const workflow = counter('hot');
    const { client, statements } = watchedClient();
    const outcomes = await Promise.all(times(300, () => client.send(workflow, 'a', add())));
    expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    const versions = outcomes.map((one) => (one.outcome === 'accepted' ? one.version : 0));
    expect(versions).toEqual(times(300, (i) => i + 1));
    expect(statements.filter((name) => name?.startsWith('append')).length).toBeLessThan(5);
  });

  it('in several processes take turns, and each is accepted', async () => {
    const workflow = counter('turns');
    const clients = [db, other, db, other].map((on) => watchedClient({}, on));
    const sender = async ({ client }: (typeof clients)[number]) => {
      const outcomes = [];
      for (let n = 0; n < 5; n++) outcomes.push(await client.send(workflow, 'a', add()));
      return outcomes;
    };
    const outcomes = await Promise.all(clients.flatMap((one) => times(25, () => sender(one))));
    expect(outcomes.flat().every(({ outcome }) => outcome === 'accepted')).toBe(true);
    expect(await client().state(workflow, 'a')).toMatchObject({ version: 500, state: { sum: 500 } });
    const appends = clients
      .flatMap(({ statements }) => statements)
      .filter((name) => name?.startsWith('append'));
    expect(appends.length).toBeLessThan(150);
  });

  it('overtake each other once: then they wait for the lock', async () => {
    const workflow = counter('overtaken');
    await client().send(workflow, 'a', add());
    const { overtaken, sent } = alwaysOvertaken(() => client(other).send(workflow, 'a', add()));
    const slow = client(overtaken);
    for (let n = 0; n < 3; n++)
      expect(await slow.send(workflow, 'a', add())).toMatchObject({ outcome: 'accepted' });
    await Promise.all(sent);
    expect(sent).toHaveLength(4); // one for the first try, and one for each that was locked
    expect(await storedNumbers('overtaken')).toHaveLength(8);
  });

  it('do not starve the messages that runners deliver to it', async () => {
    const workflow = counter('fed');
    await client().send(workflow, 'a', add());
    await addMessages(db, [{ tenant, workflow: 'fed', id: 'a', kind: 'command', body: add(1000) }]);
    const { overtaken, sent } = alwaysOvertaken(() => client(other).send(workflow, 'a', add()));
    await deliverDue(overtaken, workflow, { parts: [0], total: 1 });
    await Promise.all(sent);
    expect(await storedNumbers('fed')).toContain(1000);
    expect(await many(db, `select from message where workflow = 'fed'`)).toEqual([]);
  });
});

describe('a command in a queue', () => {
  it('takes effect in the order in which it was sent, awaited or not', async () => {
    const workflow = counter('order');
    const { client } = watchedClient({ batchSize: 7 });
    const meanwhile = times(20, () => client.send(workflow, 'b', add()));
    const sent = times(50, (n) => client.send(workflow, 'a', add(n)));
    const more = client.sendAll(workflow, [
      { id: 'a', command: add(50) },
      { id: 'a', command: add(51) },
    ]);
    const last = client.send(workflow, 'a', add(52));
    await Promise.all([...sent, ...meanwhile, more, last]);
    expect(await storedNumbers('order')).toEqual(times(53, (n) => n));
  });

  it('keeps this order when others write to the same workflow', async () => {
    const workflow = counter('contended');
    const [mine, theirs] = [client(db, { batchSize: 3 }), client(other)];
    const sent = times(60, (n) => mine.send(workflow, 'a', add(n + 1)));
    await Promise.all([...sent, ...times(60, () => theirs.send(workflow, 'a', add(1000)))]);
    expect((await storedNumbers('contended')).filter((n) => n < 1000)).toEqual(times(60, (n) => n + 1));
  });

  it('has its effect once for each command id, within a batch and later', async () => {
    const workflow = counter('ids');
    const { client } = watchedClient();
    const twice = (id: string) => [1, 2].map(() => client.send(workflow, 'a', add(), { commandId: id }));
    const [first, ...others] = await Promise.all([...twice('x'), ...twice('x')]);
    expect(first).toMatchObject({ outcome: 'accepted' });
    expect(others.every(({ outcome }) => outcome === 'repeated')).toBe(true);
    await client.send(workflow, 'a', add());
    expect(await client.send(workflow, 'a', add(), { commandId: 'x' })).toMatchObject({
      outcome: 'repeated',
    });
    expect(await client.state(workflow, 'a')).toMatchObject({ version: 2 });
  });

  it('that cannot be written fails alone', async () => {
    const large = defineWorkflow<number, { type: 'put'; size: number }, { type: 'put'; text: string }>({
      name: 'large',
      initial: () => 0,
      decide: (_, { size }) => ({ type: 'put', text: 'x'.repeat(size) }),
      evolve: (state) => state + 1,
    });
    const { client } = watchedClient();
    const put = (size: number): { type: 'put'; size: number } => ({ type: 'put', size });
    const sizes = [1, 2, 300_000, 3, 4];
    const ids = ['a', 'b', 'a', 'a', 'c'];
    const all = sizes.map((size, n) => ({ id: ids[n]!, command: put(size) }));
    const [outcomes, alone] = await Promise.all([
      client.sendAll(large, all),
      client.send(large, 'd', put(300_000)).catch((error) => error),
    ]);
    expect(outcomes).toMatchObject([
      { outcome: 'accepted', version: 1 },
      { outcome: 'accepted', version: 1 },
      { outcome: 'failed', error: { kind: 'limit' } },
      { outcome: 'accepted', version: 2 },
      { outcome: 'accepted', version: 1 },
    ]);
    expect(alone).toMatchObject({ kind: 'limit' });
  });

  it('keeps its order when the database refuses one of the batch and another process writes meanwhile', async () => {
    const workflow = defineWorkflow<number, { type: 'put'; n: number }, { type: 'put'; n: number }>({
      name: 'refused',
      initial: () => 0,
      decide: (_, command) => command,
      evolve: (state) => state + 1,
    });
    await db.query(
      `alter table seine.event add constraint refuses_minus_two check (workflow <> 'refused' or data ->> 'n' <> '-2')`,
    );
    const put = (n: number): { type: 'put'; n: number } => ({ type: 'put', n });
    const theirs = client(other);
    await theirs.send(workflow, 'a', put(0));
    let appends = 0;
    const disturbed: Database = {
      ...db,
      query: async (sql, params, name) => {
        if (name?.startsWith('append') && ++appends === 2) await theirs.send(workflow, 'a', put(99));
        return db.query(sql, params, name);
      },
    };
    const mine = new WorkflowClient(disturbed);
    const sent = [1, -2, 3, 4].map((n) => mine.send(workflow, 'a', put(n)).catch((error) => error));
    expect(await Promise.all(sent)).toMatchObject([
      { outcome: 'accepted' },
      { kind: 'limit' },
      { outcome: 'accepted' },
      { outcome: 'accepted' },
    ]);
    expect((await storedNumbers('refused')).filter((n) => n !== 99)).toEqual([0, 1, 3, 4]);
  });

  it('is refused when too many are waiting, and accepted again later', async () => {
    const workflow = counter('full');
    const { client } = watchedClient({ maxQueued: 10 });
    const sent = times(12, () => client.send(workflow, 'a', add()).catch((error) => error));
    const outcomes = await Promise.all(sent);
    expect(outcomes.slice(0, 10).every(({ outcome }) => outcome === 'accepted')).toBe(true);
    expect(outcomes.slice(10)).toMatchObject([
      { kind: 'limit', retry: true },
      { kind: 'limit', retry: true },
    ]);
    expect(await client.send(workflow, 'a', add())).toMatchObject({ outcome: 'accepted', version: 11 });
  });

  it('that waits when the client is closed fails, and says so', async () => {
    const on = await openDatabase({ databaseUrl: db.url, max: 2 });
    const { client } = watchedClient({ batches: 1, batchSize: 1 }, on);
    const sent = times(3, () => client.send(counter('closed'), 'a', add()).catch((error) => error.message));
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await client.close();
    const [first, ...others] = await Promise.all(sent);
    expect(first).toMatchObject({ outcome: 'accepted' });
    expect(others).toEqual(times(2, () => expect.stringContaining('closed before')));
    await expect(client.send(counter('closed'), 'a', add())).rejects.toThrow('closed');
  });

  it('is reported as failed when the database breaks off, and the next one is decided on what is stored', async () => {
    const workflow = counter('broken');
    let isBroken = false;
    const breaking = faultyDatabase(db, async () => {
      if (isBroken) throw new Error('broken');
    });
    const broken = new WorkflowClient(breaking);
    for (let n = 0; n < 2; n++) await broken.send(workflow, 'a', add());
    isBroken = true;
    await expect(broken.send(workflow, 'a', add())).rejects.toThrow('broken');
    isBroken = false;
    await db.query(`delete from event where workflow_key = (select key from workflow where name = 'broken')`);
    await db.query(`update workflow set version = 0 where name = 'broken'`);
    expect(await broken.send(workflow, 'a', add(5))).toMatchObject({ outcome: 'accepted', version: 1 });
    expect(await broken.state(workflow, 'a')).toMatchObject({ state: { sum: 5 } });
  });
});

describe('a state that was kept from the command before', () => {
  it('saves reading: one statement for each command', async () => {
    const workflow = counter('kept');
    const { client, statements } = watchedClient();
    await client.send(workflow, 'a', add());
    await client.send(workflow, 'a', add());
    statements.length = 0;
    for (let n = 0; n < 5; n++) await client.send(workflow, 'a', add());
    expect(statements).toEqual(times(5, () => 'append_one'));
  });

  it('is not trusted when another process wrote since', async () => {
    const workflow = counter('stale');
    const [mine, theirs] = [client(), client(other)];
    await mine.send(workflow, 'a', add(1));
    await mine.send(workflow, 'a', add(1));
    await theirs.send(workflow, 'a', add(8));
    expect(await mine.send(workflow, 'a', add(-10))).toMatchObject({ outcome: 'accepted', version: 4 });
    await theirs.send(workflow, 'a', add(1));
    await theirs.send(workflow, 'a', add(-1));
    expect(await mine.send(workflow, 'a', add(-1))).toEqual({ outcome: 'rejected', reason: 'below zero' });
    expect(await mine.send(workflow, 'a', add(7))).toMatchObject({ outcome: 'accepted', version: 7 });
  });

  it('is read again when it was stale, without a lock: that other process may have written long ago', async () => {
    const workflow = counter('once');
    const { client: mine, statements } = watchedClient();
    await mine.send(workflow, 'a', add());
    await mine.send(workflow, 'a', add());
    await client(other).send(workflow, 'a', add());
    statements.length = 0;
    await mine.send(workflow, 'a', add());
    await mine.send(workflow, 'a', add());
    expect(statements).toEqual(['append_one', 'load', 'append_one', 'append_one']);
  });

  it('does not hide that the workflow was paused, resumed, completed or cancelled', async () => {
    const workflow = counter('status');
    const { client } = watchedClient();
    for (let n = 0; n < 2; n++) {
      await client.sendAll(workflow, [
        { id: 'a', command: add() },
        { id: 'b', command: add() },
      ]);
    }
    const address = { tenant, workflow: 'status', id: 'a' };
    await pauseWorkflow(other, address);
    expect(await client.send(workflow, 'a', add())).toEqual({ outcome: 'paused' });
    await resumeWorkflow(other, address);
    expect(await client.send(workflow, 'a', add())).toMatchObject({ outcome: 'accepted', version: 5 });
    await cancelWorkflow(other, address);
    expect(await client.send(workflow, 'a', add())).toMatchObject({ reason: 'status a is cancelled' });
    await other.query(`update workflow set status = 'completed' where name = 'status' and id = 'b'`); // no event
    expect(await client.send(workflow, 'b', add())).toMatchObject({ reason: 'status b is completed' });
  });

  it('is not what a workflow makes of it that changes what it is given', async () => {
    const careless = defineWorkflow<{ n: number }, { type: 'add' | 'spoil' }, { type: 'added' }>({
      name: 'careless',
      initial: () => ({ n: 0 }),
      decide: (state, { type }) => {
        if (type === 'spoil') state.n = 1000;
        return type === 'spoil' ? [] : { type: 'added' };
      },
      evolve: (state) => ({ n: state.n + 1 }),
    });
    const { client } = watchedClient();
    const addTwice = async () => {
      for (let n = 0; n < 2; n++) await client.send(careless, 'a', { type: 'add' } as const);
    };
    await addTwice();
    await expect(client.send(careless, 'a', { type: 'spoil' } as const)).rejects.toThrow(
      'it mutated its argument',
    );
    await addTwice();
    expect(await client.state(careless, 'a')).toEqual({ status: 'running', version: 4, state: { n: 4 } });
  });
});

const missing = await whyNoPgBouncer();

describe.skipIf(missing)('behind a PgBouncer in transaction mode', () => {
  let bouncer: PgBouncer;
  beforeAll(async () => {
    bouncer = await startPgBouncer(db.url, { pool_size: 3, ignore_startup_parameters: 'options' });
  });
  afterAll(() => bouncer.stop());

  it('many senders of several processes are accepted', async () => {
    const workflow = counter('pooled');
    for (let n = 0; n < 3; n++) opened.push(await openDatabase({ databaseUrl: bouncer.url, max: 4 }));
    const clients = opened.map((on) => client(on));
    const sent = clients.flatMap((one) => times(50, () => one.send(workflow, 'a', add())));
    const more = clients.flatMap((one) => times(50, (n) => one.send(workflow, `b-${n % 5}`, add())));
    const outcomes = await Promise.all([...sent, ...more]);
    expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    expect(await one(db, `select sum(version)::int as n from workflow where name = 'pooled'`)).toEqual({
      n: 300,
    });
  });
});

function client(on: Database = db, options: CommandQueueOptions = {}): WorkflowClient {
  return watchedClient(options, on).client;
}
