import { SeineError } from '../../src/base/errors.ts';
import type { Database, Queryable } from '../../src/db/database.ts';

/** The same database, but before each statement (the first is 1) something may happen: to its connection, to others, or an error. */
export function faultyDatabase(
  db: Database,
  before: (statement: number, connection: Queryable) => Promise<void>,
): Database {
  let statements = 0;
  const watched = <Connection extends Queryable>(connection: Connection): Connection => ({
    ...connection,
    async query(...asked: Parameters<Queryable['query']>) {
      statements++;
      await before(statements, connection);
      return connection.query(...asked);
    },
  });
  return { ...watched(db), tx: (work) => db.tx((tx) => work(watched(tx))) };
}

/** The same database, but the connection is lost after such statements were committed, and before their answer arrives. */
export function losingAnswers(
  db: Database,
  isLost: (sql: string, params: readonly unknown[]) => boolean,
): Database {
  return {
    ...db,
    async query(sql, params = [], name) {
      const answer = await db.query<never>(sql, params, name);
      if (isLost(sql, params))
        throw new SeineError('unavailable', 'The connection was lost.', { retry: true });
      return answer;
    },
  };
}
