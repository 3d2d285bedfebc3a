/** Opens the database for a user's program: DATABASE_URL, or the private one of the data folder. */
import { chooseDataFolder } from '../db/data-folder.ts';
import type { Database } from '../db/database.ts';
import { openMigrated } from '../db/open-migrated.ts';
import { checkCount } from './check-count.ts';

export interface DatabaseChoice {
  /** Default: DATABASE_URL. */
  readonly databaseUrl?: string;
  /** The same database without a connection pooler, for LISTEN (default: SEINE_DIRECT_DATABASE_URL). */
  readonly directUrl?: string;
  /** Folder of the private database (default: SEINE_DATA, or the standard folder). */
  readonly dataFolder?: string;
  /** Maximum connections (10). */
  readonly connections?: number;
}

/** Transactions of runners take milliseconds. */
const IDLE_TX_TIMEOUT_MS = 5000;

export async function openWorkflowDatabase(choice: DatabaseChoice = {}): Promise<Database> {
  const { connections = 10 } = choice;
  checkCount('The database', 'connections', connections);
  return openMigrated({
    databaseUrl: choice.databaseUrl ?? process.env.DATABASE_URL,
    directUrl: choice.directUrl ?? process.env.SEINE_DIRECT_DATABASE_URL,
    dataFolder: chooseDataFolder(choice.dataFolder),
    max: connections,
    preferIndexes: true,
    endStandstillMs: IDLE_TX_TIMEOUT_MS,
  });
}
