import { SeineError } from '../base/errors.ts';
import type { Database } from './database.ts';
import { isSchemaVisible, migrate } from './migrate.ts';
import { type DatabaseOptions, openDatabase } from './pool.ts';

const TRIES = 5;

/** Opens the database and updates its schema if needed. Delays are reported, on stderr by default. */
export async function openMigrated(options: DatabaseOptions): Promise<Database> {
  const { warn = (message) => void process.stderr.write(`seine: ${message}\n`) } = options;
  for (let tried = 1; tried <= TRIES; tried++) {
    const db = await openDatabase({ ...options, warn });
    try {
      await migrate(db, { onWait: warn });
      // Connections that are older than the schema don't always see it when another process created it:
      // open new ones.
      if (await isSchemaVisible(db)) return db;
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
