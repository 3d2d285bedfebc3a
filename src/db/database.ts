import { SeineError } from '../base/errors.ts';

/**
 * The interface to PostgreSQL: statements, transactions, notifications. Functions that require a
 * transaction take a `Tx`; others take a `Queryable`.
 */
export interface Queryable {
  /** With a name, a connection plans the statement once: for frequent statements that always use an index. */
  query<Row = unknown>(sql: string, params?: readonly unknown[], name?: string): Promise<Result<Row>>;
}

export interface Result<Row> {
  readonly rows: Row[];
  /** Number of affected rows, also for statements that return none. */
  readonly rowCount: number;
}

export interface Tx extends Queryable {
  readonly transaction: true;
}

export interface TxOptions {
  /**
   * The transaction runs foreign statements. A rollback does not undo all their session state (advisory
   * locks, prepared statements), so the connection is closed after a failure; before a commit see
   * `CLEAN_SESSION`.
   */
  readonly foreign?: boolean;
}

export interface Database extends Queryable {
  /** Maximum number of concurrent transactions (undefined: unknown). */
  readonly connections?: number;
  /** Commits when `fn` resolves and rolls back when it throws. */
  tx<T>(fn: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  /**
   * Calls `heard` for each NOTIFY, and with '' after a reconnect, when some may have been lost. Through a
   * pooler without a direct connection nothing is received, so listeners must also poll. Returns a function
   * that stops it.
   */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export async function many<Row>(db: Queryable, sql: string, params?: readonly unknown[]): Promise<Row[]> {
  return (await db.query<Row>(sql, params)).rows;
}

/** Returns the row, or null; more than one is an error in the statement. */
export async function maybeOne<Row>(
  db: Queryable,
  sql: string,
  params?: readonly unknown[],
): Promise<Row | null> {
  const { rows } = await db.query<Row>(sql, params);
  if (rows.length > 1) throw new SeineError('internal', `Expected one row, got ${rows.length}.`);
  return rows[0] ?? null;
}

export async function one<Row>(db: Queryable, sql: string, params?: readonly unknown[]): Promise<Row> {
  const row = await maybeOne<Row>(db, sql, params);
  if (row === null) throw new SeineError('internal', 'Expected one row, got none.');
  return row;
}
