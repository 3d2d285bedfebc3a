import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, SeineError } from '../base/errors.ts';
import { retrying } from '../base/retry.ts';
import { type Database, many, type Queryable, type Tx } from './database.ts';

/**
 * Brings the schema `seine` up to date: numbered files, forward only, each in a transaction of its own together with its
 * row in `seine.migration`. Processes that start at once take turns by one advisory lock and find the work done.
 *
 * Others work on the tables meanwhile. A statement that waits for its lock makes everybody behind it wait, too, so a migration waits for
 * LOCK_TIMEOUT_MS only, lets the others pass, and tries again. An index of a table that may be large is built without stopping those who write:
 * a file that begins with `-- outside a transaction` is run one statement at a time, and may be run again after a crash in the middle; see
 * migrate-outside.ts for what may stand in it.
 */
interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

type Applied = Pick<Migration, 'number' | 'name' | 'checksum'>;

const FOLDER = join(import.meta.dirname, 'migrations');
const LOCK = '24094, 3';
const PATIENCE_MS = 30_000;

/** The numbers that were applied now: usually none, after one cheap query. */
export async function migrate(db: Database, folder = FOLDER): Promise<number[]> {
  const migrations = readMigrations(folder);
  const before = await readApplied(db);
  const missing = missingOf(migrations, before);
  const done: number[] = [];
  for (const migration of missing) {
    // Those who work on the tables meanwhile take them in another order: one of two that wait for each other must yield.
    const apply = () => db.tx((tx) => applyMigration(tx, migration, migrations));
    if (await retrying(apply, { forMs: PATIENCE_MS })) done.push(migration.number);
  }
  return done;
}

export async function seesSchema(db: Queryable): Promise<boolean> {
  const [row] = await many<{ seen: boolean }>(db, `select to_regclass('setting') is not null as seen`);
  return row!.seen;
}

function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const named = /^(\d{4})_([a-z0-9_-]+)\.sql$/.exec(file);
      if (!named) throw new SeineError('internal', `The migration ${file} is not named like 0001_name.sql.`);
      const sql = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n');
      return {
        number: Number(named[1]),
        name: named[2]!,
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    });
}

/** Compares what the database went through with what this Seine knows. */
function missingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const { number, name, checksum } of applied) {
    const ours = known.get(number);
    if (!ours) {
      throw new SeineError(
        'conflict',
        `The database is newer than this Seine: it has migration ${number} (${name}).`,
        {
          hint: 'Update Seine, or use another database.',
        },
      );
    }
    if (ours.checksum !== checksum) {
      throw new SeineError('conflict', `Migration ${number} (${name}) was changed after it was applied.`, {
        hint: 'Bring back the file as it was, and put the change into a new migration.',
      });
    }
    known.delete(number);
  }
  return [...known.values()].sort((a, b) => a.number - b.number);
}

/** False when another process was first. */
async function applyMigration(tx: Tx, migration: Migration, all: readonly Migration[]): Promise<boolean> {
  await tx.query(`select pg_advisory_xact_lock(${LOCK})`);
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
  if (!missingOf(all, await readTable(tx)).includes(migration)) return false;
  await tx.query(migration.sql);
  await tx.query('insert into seine.migration (number, name, checksum) values ($1, $2, $3)', [
    migration.number,
    migration.name,
    migration.checksum,
  ]);
  return true;
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
