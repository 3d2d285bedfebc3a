/**
 * PostgreSQL for tests: one private server per run, and for each test file a database of its own, copied from a migrated
 * template (some 50 ms). Vitest runs `setup` once for the project `db`; tests call `freshDatabase`.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/db/database.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/db/embedded/start.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/pool.ts';
import { exited } from './processes.ts';
import { waitUntil } from './wait-for.ts';

const TEMPLATE = 'seine_template';
const SERVER = 'SEINE_TEST_SERVER';

export async function setup(): Promise<() => Promise<void>> {
  const folder = temporaryFolder();
  const server = await startEmbeddedServer(folder);
  process.env[SERVER] = server.connectionString;
  try {
    await makeTemplate();
  } catch (error) {
    await tearDown(server, folder);
    throw error;
  }
  return () => tearDown(server, folder);
}

async function makeTemplate(): Promise<void> {
  await onServer((db) => db.query(`create database ${TEMPLATE}`));
  const template = await openDatabase({ databaseUrl: urlOf(TEMPLATE), max: 2 });
  try {
    await migrate(template);
  } finally {
    await template.close();
  }
}

/** Migrated and empty; `close` also drops it. */
export async function freshDatabase(max = 5): Promise<Database & { readonly url: string }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer((db) => db.query(`create database ${name} template ${TEMPLATE}`));
  const url = urlOf(name);
  const db = await openDatabase({ databaseUrl: url, max });
  return {
    ...db,
    url,
    async close() {
      await db.close();
      await onServer((server) => server.query(`drop database ${name} with (force)`));
    },
  };
}

/** The same database for a role of another name: `seine` finds the schema of its name without a search path. */
export async function asOtherRole(db: Database, url: string): Promise<string> {
  await db.query(`do $$ begin
    create role somebody superuser login password 'secret';
  exception when duplicate_object or unique_violation then null; end $$`);
  return url.replace(/\/\/[^@/]*@/, '//somebody:secret@');
}

/** Until statements of so many other connections wait for a row. */
export async function hasLockWaiter(db: Database, many = 1): Promise<void> {
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await waitUntil(
    `${many} connections to wait for a lock`,
    async () => (await db.query(waiting)).rowCount >= many,
  );
}

/** Reachable for the account of a server that root starts. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'seine-test-'));
  chmodSync(folder, 0o711);
  return folder;
}

async function onServer(work: (db: Database) => Promise<unknown>): Promise<void> {
  const db = await openDatabase({ databaseUrl: process.env[SERVER], max: 1 });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

function urlOf(database: string): string {
  return process.env[SERVER]!.replace('/postgres?', `/${database}?`);
}

async function tearDown(server: EmbeddedServer, folder: string): Promise<void> {
  await server.close();
  rmSync(join(folder, 'postgres.json'), { force: true }); // the keeper takes that for the end, and stops at once
  await exited(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
