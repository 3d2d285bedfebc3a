import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/database.ts';
import { exited } from '../../../test/support/processes.ts';
import { repeatWhile, waitFor } from '../../../test/support/wait-for.ts';
import { type Database, one } from '../../db/database.ts';
import { startEmbeddedServer } from '../../db/embedded/start.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/pool.ts';
import { appendEvents } from '../../events/append-store.ts';
import { openPartitioning } from '../partitions/partitioning.ts';
import { findStall, formatStall, stallAdvice } from './stall.ts';
import { StallMonitor } from './stall-monitor.ts';

/** A server of its own: which transaction is the oldest is the question here, and prepared ones must be allowed. */
const folder = temporaryFolder();
let server: ChildProcess;
let db: Database;
let url: (database: string) => string;

/** The same server as the embedded one, started again with other settings. */
async function startOwnServer(): Promise<string> {
  const embedded = await startEmbeddedServer(folder);
  const { connectionString } = embedded;
  const first = await openDatabase({ databaseUrl: connectionString, max: 1 });
  const { pid, data } = await one<{ pid: string; data: string }>(
    first,
    `select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as pid, current_setting('data_directory') as data`,
  );
  const [postgres, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  await first.close();
  await embedded.close();
  rmSync(join(folder, 'postgres.json'), { force: true }); // the keeper takes that for the end
  await exited(folder);
  const { uid, gid } = statSync(data);
  server = spawn(
    postgres!,
    [...words, '-c', 'max_prepared_transactions=5', '-c', 'wal_level=logical', '-c', 'max_wal_senders=2'],
    {
      ...(process.getuid?.() === 0 && { uid, gid }),
      cwd: '/',
      stdio: 'ignore',
    },
  );
  return connectionString;
}

beforeAll(async () => {
  const connectionString = await startOwnServer();
  db = await openDatabase({ databaseUrl: connectionString, max: 3 });
  await waitFor(db, 'the server to start', () => one(db, 'select 1'));
  await migrate(db);
  await db.query('create database crm');
  await db.query(`create role limited login password 'secret'`);
  await db.query('grant usage on schema seine to limited');
  await db.query('grant select on all tables in schema seine to limited');
  const { name } = await one<{ name: string }>(db, 'select current_database() as name');
  url = (database) => connectionString.replace(`/${name}?`, `/${database}?`);
  await openPartitioning(db, 'order', { mode: 'slots' });
}, 120_000);
afterAll(async () => {
  await db?.close();
  const ended = once(server, 'exit');
  server.kill('SIGINT');
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

let events = 0;
const append = () =>
  appendEvents(db, [
    {
      tenant: 'default',
      workflow: 'order',
      id: `order-${events++}`,
      key: null,
      expected: 0,
      events: [{ type: 'placed', data: {} }],
    },
  ]);

/** In another database of the server, with an event of ours behind it. */
async function withOpen(begin: readonly string[], end: string, work: () => Promise<void>): Promise<void> {
  const other = new pg.Client({ connectionString: url('crm'), application_name: 'billing' });
  await other.connect();
  try {
    for (const statement of begin) await other.query(statement);
    await append();
    await work();
    await other.query(end);
  } finally {
    await other.end();
  }
}

const WRITE = [
  'begin',
  'create temp table x (a text)',
  `insert into x values ('Ada Lovelace, 4111111111111111')`,
];

describe('a log that stalls', () => {
  it('names the forgotten transaction of another database, without the values in its statement', async () => {
    await withOpen(WRITE, 'rollback', async () => {
      const stall = (await findStall(db, null, 0))!;
      expect(stall.workflows).toEqual(['order']);
      expect(stall.transaction).toMatchObject({ database: 'crm', application: 'billing', hiddenFrom: null });
      const text = formatStall(stall);
      expect(text).toMatch(/^Events of order cannot be read for \d+ s: a transaction of pid \d+ /);
      expect(text).toContain('database crm, application billing');
      expect(text).toContain('idle in transaction) has been open for');
      expect(text).toContain('insert into x values (?)');
      expect(JSON.stringify(stall) + text).not.toMatch(/Ada|4111/);
      expect(stallAdvice(stall)).toContain(`select pg_terminate_backend(${stall.transaction.pid});`);
    });
    expect(await findStall(db, null, 0)).toBeNull();
  });

  it('names a prepared transaction, which no connection shows', async () => {
    const begin = ['begin', 'select pg_current_xact_id()', `prepare transaction 'it''s forgotten'`];
    await withOpen(begin, `rollback prepared 'it''s forgotten'`, async () => {
      const stall = (await findStall(db, null, 0))!;
      expect(stall.transaction).toMatchObject({ pid: null, gid: `it's forgotten`, database: 'crm' });
      expect(formatStall(stall)).toContain(`the prepared transaction 'it's forgotten' (user `);
      expect(stallAdvice(stall)).toContain(
        `Connect to the database crm and end it: rollback prepared 'it''s forgotten';`,
      );
    });
  });

  it('is not caused by a transaction that only reads', async () => {
    await withOpen(['begin', 'select 1'], 'rollback', async () =>
      expect(await findStall(db, null, 0)).toBeNull(),
    );
  });

  it('is not caused by a replication slot: it holds back the vacuum, not what can be read', async () => {
    await db.query(`select pg_create_logical_replication_slot('lagging', 'pgoutput')`);
    await append();
    const { slot, oldest } = await one<{ slot: number; oldest: number }>(
      db,
      `select catalog_xmin::text::bigint as slot, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest
       from pg_replication_slots`,
    );
    expect(oldest).toBeGreaterThan(slot);
    expect(await findStall(db, null, 0)).toBeNull();
    await db.query(`select pg_drop_replication_slot('lagging')`);
  });

  it('is not one before its time, nor without an event behind the transaction, nor of another workflow', async () => {
    await withOpen(WRITE, 'rollback', async () => {
      expect(await findStall(db, null, 3_600_000)).toBeNull();
      expect(await findStall(db, ['invoice'], 0)).toBeNull();
      expect(await findStall(db, ['order', 'invoice'], 0)).toMatchObject({ workflows: ['order'] });
    });
    const other = new pg.Client({ connectionString: url('crm') });
    await other.connect();
    for (const statement of WRITE) await other.query(statement);
    expect(await findStall(db, null, 0)).toBeNull();
    await other.query('rollback');
    await other.end();
  });

  it('says which right is missing when the role may not see the statement', async () => {
    await withOpen(WRITE, 'rollback', async () => {
      await db.tx(async (tx) => {
        await tx.query('set local role limited');
        const stall = (await findStall(tx, null, 0))!;
        expect(stall.transaction).toMatchObject({
          database: 'crm',
          application: 'billing',
          hiddenFrom: 'limited',
        });
        expect(formatStall(stall)).not.toContain('insufficient');
        expect(stallAdvice(stall)).toContain('grant pg_read_all_stats to limited;');
      });
    });
  });
});

describe('the watch over it', () => {
  it('says it when it stalls, again after growing pauses, and when it is over', async () => {
    let now = 0;
    const watch = new StallMonitor(db, { workflows: null, afterMs: 10, now: () => now });
    const lookAt = async (ms: number) => {
      now = ms;
      return watch.check();
    };
    await withOpen(WRITE, 'rollback', async () => {
      expect(await lookAt(0)).toBeNull();
      let said: string | null = null;
      // The event must have been there for a while.
      await repeatWhile('silence about the stall', async () => {
        said = await lookAt(now + 20);
        return said === null;
      });
      expect(said).toMatch(/^Events of order cannot be read.*pg_terminate_backend/);
      const first = now;
      const times: number[] = [];
      for (let ms = first; ms < first + 3 * 3_600_000; ms += 30_000)
        if (await lookAt(ms)) times.push((ms - first) / 60_000);
      expect(times).toEqual([1, 6, 21, 81, 141]);
    });
    expect(await lookAt(now)).toMatch(/^The transaction of pid \d+ has ended/);
    expect(await lookAt(now + 1000)).toBeNull();
  });
});
