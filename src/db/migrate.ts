import { join } from 'node:path';
import { codeOf, SeineError } from '../base/errors.ts';
import { backoff, timers } from '../base/retry.ts';
import { type Database, many, type Queryable, type Tx } from './database.ts';
import { applyNonTransactional, isNonTransactional } from './migrate-non-transactional.ts';
import { type MigrationTimeouts, retryMigration } from './migrate-retry.ts';
import {
  type AppliedMigration,
  type Migration,
  pendingMigrations,
  readMigrations,
} from './migration-files.ts';
import { withoutTimeouts } from './session-settings.ts';

/**
 * Updates the schema `seine`: numbered files, forward only, each in its own transaction together with its
 * row in `seine.migration`. Concurrent processes are serialised by an advisory lock.
 *
 * The tables are in use meanwhile. A statement that waits for a lock blocks all later ones, so a migration
 * waits for LOCK_TIMEOUT_MS only, lets others proceed, and is retried. Indexes of large tables are built
 * without blocking writes: a file that starts with `-- outside a transaction` is run one statement at a
 * time, and may be repeated after a crash; see migrate-non-transactional.ts for its rules.
 */
const FOLDER = join(import.meta.dirname, 'migrations');
const LOCK = '24094, 3';
const LOCK_TIMEOUT_MS = 2000;
/** Long enough for another process that builds an index of a large table. */
const TURN_TIMEOUT_MS = 6 * 3_600_000;

export interface MigrateOptions extends MigrationTimeouts {
  readonly folder?: string;
  /** Called with the reason of a delay. */
  readonly onWait?: ((message: string) => void) | undefined;
}

/** Returns the numbers applied now: usually none, after one cheap query. */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<number[]> {
  const { folder = FOLDER } = options;
  const say = logOnce(options.onWait);
  const migrations = readMigrations(folder);
  const before = await readApplied(db);
  const missing = pendingMigrations(migrations, before);
  const done: number[] = [];
  for (const migration of missing) {
    const apply = async () => {
      const applied = await db.tx((tx) => applyMigration(tx, db, migration, migrations));
      if (applied === 'not our turn') say(OTHER_PROCESS);
      return applied;
    };
    if (await retryUntilTurn(() => retryMigration(apply, migration, say, options)))
      done.push(migration.number);
  }
  return done;
}

const OTHER_PROCESS = 'Another process is changing the tables of the database. Waiting for it.';

/** Processes that wait for another keep no connection meanwhile: behind a pooler there may be few. */
async function retryUntilTurn(apply: () => Promise<ApplyResult>): Promise<boolean> {
  const deadline = performance.now() + TURN_TIMEOUT_MS;
  for (let attempt = 0; ; attempt++) {
    const applied = await apply();
    if (applied !== 'not our turn') return applied === 'applied';
    if (performance.now() > deadline)
      throw new SeineError(
        'conflict',
        'Another process has been changing the tables of the database for hours.',
        {
          hint: 'Find it in pg_stat_activity. If it has died, terminate its session.',
        },
      );
    await timers.sleep(10 + backoff(attempt, { firstMs: 20, maxMs: 2000 }));
  }
}

function logOnce(log: ((message: string) => void) | undefined): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (!said.has(message)) log?.(message);
    said.add(message);
  };
}

export async function isSchemaVisible(db: Queryable): Promise<boolean> {
  const [row] = await many<{ seen: boolean }>(db, `select to_regclass('setting') is not null as seen`);
  return row!.seen;
}

type ApplyResult = 'applied' | 'was applied' | 'not our turn';

async function applyMigration(
  tx: Tx,
  db: Database,
  migration: Migration,
  all: readonly Migration[],
): Promise<ApplyResult> {
  // The transaction only holds the lock while an index is built outside of it, which may take long.
  await tx.query(
    `set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local idle_in_transaction_session_timeout = 0; ${withoutTimeouts('transaction')}`,
  );
  const turn = await tx.query<{ ours: boolean }>(`select pg_try_advisory_xact_lock(${LOCK}) as ours`);
  if (!turn.rows[0]!.ours) return 'not our turn';
  await tx.query(
    `do $$ begin
       -- "if not exists" would ask for the right to create it even when it is there. The table is asked: what a session remembers
       -- of schemas (to_regnamespace) may be older than the lock it has waited for.
       if not exists (select from pg_namespace where nspname = 'seine') then create schema seine; end if;
     end $$;
     create table if not exists seine.migration (
       number integer primary key,
       name text not null,
       checksum text not null,
       applied_at timestamptz not null default now()
     )`,
  );
  if (!pendingMigrations(all, await readTable(tx)).includes(migration)) return 'was applied';
  if (isNonTransactional(migration.sql)) await applyNonTransactional(db, migration.sql);
  else await tx.query(migration.sql);
  await tx.query('insert into seine.migration (number, name, checksum) values ($1, $2, $3)', [
    migration.number,
    migration.name,
    migration.checksum,
  ]);
  return 'applied';
}

async function readApplied(db: Queryable): Promise<AppliedMigration[]> {
  try {
    return await readTable(db);
  } catch (error) {
    // undefined_table (also returned without the schema): a new database.
    if (codeOf(error) === '42P01') return [];
    throw error;
  }
}

function readTable(db: Queryable): Promise<AppliedMigration[]> {
  return many<AppliedMigration>(db, 'select number, name, checksum from seine.migration order by number');
}
