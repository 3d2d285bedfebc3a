import { SeineError } from '../base/errors.ts';
import type { Database } from './database.ts';
import { type MigrateOptions, migrate, seesSchema } from './migrate.ts';
import { type DatabaseOptions, openDatabase } from './pool.ts';

const TRIES = 5;

/** With the schema of this Seine: brought up to date if need be. */
export async function openMigrated(
  options: DatabaseOptions & Pick<MigrateOptions, 'onWait'>,
): Promise<Database> {
  for (let tried = 1; tried <= TRIES; tried++) {
    const db = await openDatabase(options);
    try {
      await migrate(db, { onWait: options.onWait });
      // Connections that are older than the schema don't always see it when others made it: begin with new ones.
      if (await seesSchema(db)) return db;
    } catch (error) {
      await db.close();
      throw error;
    }
    await db.close();
  }
  throw new SeineError('internal', 'The tables of Seine are not found by the search_path of the database.', {
    hint: 'Something between Seine and the database changes search_path: use a direct connection, or PgBouncer 1.18 or newer.',
  });
}
