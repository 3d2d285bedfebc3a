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
