import { SeineError } from '../base/errors.ts';

/**
 * One way to PostgreSQL for everybody: statements, transactions, notifications. Functions that only make sense inside a
 * transaction ask for a `Tx`; those that don't care ask for a `Queryable`.
 */
export interface Queryable {
  /** With a name, a connection plans the statement once: for those that are asked all the time and always find their way by an index. */
  query<Row = unknown>(sql: string, params?: readonly unknown[], name?: string): Promise<Result<Row>>;
}

export interface Result<Row> {
  readonly rows: Row[];
  /** Rows touched, also by statements that return none. */
  readonly rowCount: number;
}

export interface Tx extends Queryable {
  readonly transaction: true;
}

export interface TxOptions {
  /**
   * Statements of others are part of it. A rollback does not end all that they leave in the session (advisory locks, prepared statements), so
   * after a failure the connection is closed; before a commit see `CLEAN_SESSION`.
   */
  readonly foreign?: boolean;
}

export interface Database extends Queryable {
  /** How many transactions can be open at a time (unknown if it isn't given). */
  readonly connections?: number;
  /** Commits when `work` resolves and rolls back when it throws. */
  tx<T>(fn: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  /**
   * Calls back for each NOTIFY, and with '' after a broken connection, when some may have been missed. Through a pooler without a direct
   * connection nothing is heard: whoever listens must also look from time to time. Returns how to stop.
   */
  listen(channel: string, heard: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export async function many<Row>(db: Queryable, sql: string, params?: readonly unknown[]): Promise<Row[]> {
  return (await db.query<Row>(sql, params)).rows;
}

/** The row, or null; more than one is a mistake in the statement. */
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
