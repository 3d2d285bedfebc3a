/** The database as a program of the user reaches it: DATABASE_URL, or the private one of the data folder. */
import { chooseDataFolder } from '../db/data-folder.ts';
import type { Database } from '../db/database.ts';
import { migrate, seesSchema } from '../db/migrate.ts';
import { openDatabase } from '../db/pool.ts';

export interface DatabaseChoice {
  /** DATABASE_URL if it isn't given. */
  readonly databaseUrl?: string;
  /** Of the private database: SEINE_DATA, or the usual place, if it isn't given. */
  readonly dataFolder?: string;
  /** Connections at most (10). */
  readonly connections?: number;
}

/** Transactions of runners take milliseconds. */
const STANDSTILL_MS = 5000;

export async function openWorkflowDatabase(choice: DatabaseChoice): Promise<Database> {
  const databaseUrl = choice.databaseUrl ?? process.env.DATABASE_URL;
  const dataFolder = chooseDataFolder(choice.dataFolder);
  for (;;) {
    const db = await openDatabase({
      databaseUrl,
      dataFolder,
      max: choice.connections ?? 10,
      byIndex: true,
      endStandstillMs: STANDSTILL_MS,
    });
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
