import type { Database } from './database.ts';
import { migrate, seesSchema } from './migrate.ts';
import { type DatabaseOptions, openDatabase } from './pool.ts';

/** With the schema of this Seine: brought up to date if need be. */
export async function openMigrated(options: DatabaseOptions): Promise<Database> {
  for (;;) {
    const db = await openDatabase(options);
    try {
      await migrate(db);
      // Connections that are older than the schema don't always see it when others made it: begin with new ones.
      if (await seesSchema(db)) return db;
    } catch (error) {
      await db.close();
      throw error;
    }
    await db.close();
  }
}
