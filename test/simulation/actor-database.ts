import { SeineError } from '../../src/base/errors.ts';
import type { Database, Queryable, Tx } from '../../src/db/database.ts';
import type { Actor, Answer } from './actor.ts';

/** The database as an actor sees it: every statement, `begin` and `commit` too, waits for its turn. */
export function databaseOf(
  actor: Actor,
  ask: (actor: Actor, sql: string, params?: readonly unknown[]) => Promise<Answer>,
): Database {
  const query = (sql: string, params?: readonly unknown[]) => ask(actor, sql, params);
  return {
    query: query as Queryable['query'],
    tx: async (work) => {
      await ask(actor, 'begin');
      try {
        const result = await work({ transaction: true, query } as Tx);
        const { command } = await ask(actor, 'commit');
        if (command !== 'COMMIT') throw new SeineError('internal', 'The transaction was rolled back.');
        return result;
      } catch (error) {
        if (actor.alive) await actor.rollBack();
        throw error;
      }
    },
    listen: async () => async () => {},
    close: async () => {},
  };
}
