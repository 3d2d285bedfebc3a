import { join } from 'node:path';
import { codeOf, SeineError } from '../base/errors.ts';
import { backoff, pauses } from '../base/retry.ts';
import { type Database, many, type Queryable, type Tx } from './database.ts';
import { applyOutside, runsOutside } from './migrate-outside.ts';
import { type Patience, retryMigration } from './migrate-retry.ts';
import { type Applied, type Migration, missingOf, readMigrations } from './migration-files.ts';
import { unlimited } from './session-settings.ts';

/**
 * Brings the schema `seine` up to date: numbered files, forward only, each in a transaction of its own together with its
 * row in `seine.migration`. Processes that start at once take turns by one advisory lock and find the work done.
 *
 * Others work on the tables meanwhile. A statement that waits for its lock makes everybody behind it wait, too, so a migration waits for
 * LOCK_TIMEOUT_MS only, lets the others pass, and tries again. An index of a table that may be large is built without stopping those who write,
 * and its rows are changed in batches: a file that begins with `-- outside a transaction` is run one statement at a time, and may be run again after a crash in the middle; see
 * migrate-outside.ts for what may stand in it.
 */
const FOLDER = join(import.meta.dirname, 'migrations');
const LOCK = '24094, 3';
const LOCK_TIMEOUT_MS = 2000;
/** Another process may be building an index of a large table. */
const TURN_PATIENCE_MS = 6 * 3_600_000;

export interface MigrateOptions extends Patience {
  readonly folder?: string;
  /** Told why it takes longer. */
  readonly onWait?: ((message: string) => void) | undefined;
}

/** The numbers that were applied now: usually none, after one cheap query. */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<number[]> {
  const { folder = FOLDER } = options;
  const say = once(options.onWait);
  const migrations = readMigrations(folder);
  const before = await readApplied(db);
  const missing = missingOf(migrations, before);
  const done: number[] = [];
  for (const migration of missing) {
    const apply = async () => {
      const applied = await db.tx((tx) => applyMigration(tx, db, migration, migrations));
      if (applied === 'not our turn') say(OTHER_PROCESS);
      return applied;
    };
    if (await inTurn(() => retryMigration(apply, migration, say, options))) done.push(migration.number);
  }
  return done;
}

const OTHER_PROCESS = 'Another process is changing the tables of the database. Waiting for it.';

/** Whoever waits for another process keeps no connection meanwhile: behind a pooler there may be few. */
async function inTurn(apply: () => Promise<Applying>): Promise<boolean> {
  const giveUp = performance.now() + TURN_PATIENCE_MS;
  for (let attempt = 0; ; attempt++) {
    const applied = await apply();
    if (applied !== 'not our turn') return applied === 'applied';
    if (performance.now() > giveUp)
      throw new SeineError(
        'conflict',
        'Another process has been changing the tables of the database for hours.',
        {
          hint: 'Look for it in pg_stat_activity. If it has died, its session must be ended.',
        },
      );
    await pauses.spend(10 + backoff(attempt, { firstMs: 20, mostMs: 2000 }));
  }
}

function once(say: ((message: string) => void) | undefined): (message: string) => void {
  const said = new Set<string>();
  return (message) => {
    if (!said.has(message)) say?.(message);
    said.add(message);
  };
}

export async function seesSchema(db: Queryable): Promise<boolean> {
  const [row] = await many<{ seen: boolean }>(db, `select to_regclass('setting') is not null as seen`);
  return row!.seen;
}

type Applying = 'applied' | 'was applied' | 'not our turn';

async function applyMigration(
  tx: Tx,
  db: Database,
  migration: Migration,
  all: readonly Migration[],
): Promise<Applying> {
  // The transaction only holds the turn while an index is built outside of it; that may take long.
  await tx.query(
    `set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local idle_in_transaction_session_timeout = 0; ${unlimited('transaction')}`,
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
  if (!missingOf(all, await readTable(tx)).includes(migration)) return 'was applied';
  if (runsOutside(migration.sql)) await applyOutside(db, migration.sql);
  else await tx.query(migration.sql);
  await tx.query('insert into seine.migration (number, name, checksum) values ($1, $2, $3)', [
    migration.number,
    migration.name,
    migration.checksum,
  ]);
  return 'applied';
}

async function readApplied(db: Queryable): Promise<Applied[]> {
  try {
    return await readTable(db);
  } catch (error) {
    // undefined_table (the schema's absence says the same): a new database.
    if (codeOf(error) === '42P01') return [];
    throw error;
  }
}

function readTable(db: Queryable): Promise<Applied[]> {
  return many<Applied>(db, 'select number, name, checksum from seine.migration order by number');
}
