/**
 * Migrations that build or drop indexes concurrently with writes. PostgreSQL only supports that outside of a transaction, so such a
 * file may be interrupted in the middle, and each statement must be idempotent:
 *
 *   -- outside a transaction
 *   create index concurrently if not exists lease_of_group on seine.range_lease (group_id);
 *   drop index concurrently if exists seine.lease_of_kind;
 *   do $$ begin
 *     loop
 *       (the next rows, which are not as they should be yet)
 *       commit;
 *     end loop;
 *   end $$;
 *
 * An interrupted build leaves an invalid index, which `if not exists` would consider present: it is dropped first.
 */
import { SeineError } from '../base/errors.ts';
import { type Database, maybeOne } from './database.ts';

const MARK = /^-- outside a transaction\n/;
const BUILD = /^create (?:unique )?index concurrently if not exists (\w+)\s+on seine\.\w+\s/i;
const DROP = /^drop index concurrently if exists seine\.\w+$/i;
/** In batches: without a commit of its own it would lock all of the rows until it has ended. */
const BATCHES = /^do \$\$.*\bcommit;.*\$\$$/is;
/** Up to a semicolon that does not stand in a block. */
const STATEMENT = /(?:\$\$.*?\$\$|[^;])+/gs;

export function isNonTransactional(sql: string): boolean {
  return MARK.test(sql);
}

/** The caller must make sure that no other process does the same. */
export async function applyNonTransactional(db: Database, sql: string): Promise<void> {
  for (const statement of statementsOf(sql)) {
    const index = BUILD.exec(statement)?.[1];
    if (index !== undefined && (await isInvalid(db, index)))
      await db.query(`drop index concurrently if exists seine.${index}`);
    await db.query(statement);
  }
}

function statementsOf(sql: string): string[] {
  const statements = (sql.replaceAll(/--[^\n]*/g, '').match(STATEMENT) ?? [])
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  const known = [BUILD, DROP, BATCHES];
  const wrong = statements.find((statement) => !known.some((form) => form.test(statement)));
  if (wrong === undefined) return statements;
  throw new SeineError('internal', `This statement may not be run outside of a transaction: ${wrong}`);
}

async function isInvalid(db: Database, index: string): Promise<boolean> {
  const found = await maybeOne(
    db,
    `select from pg_index where indexrelid = to_regclass('seine.' || $1) and not indisvalid`,
    [index],
  );
  return found !== null;
}
