/** The database as a program of the user reaches it: DATABASE_URL, or the private one of the data folder. */
import { chooseDataFolder } from '../db/data-folder.ts';
import type { Database } from '../db/database.ts';
import { openMigrated } from '../db/open-migrated.ts';
import { checkCount } from './check-count.ts';

export interface DatabaseChoice {
  /** DATABASE_URL if it isn't given. */
  readonly databaseUrl?: string;
  /** The same database without a connection pooler in between, to listen on: SEINE_DIRECT_DATABASE_URL if it isn't given. */
  readonly directUrl?: string;
  /** Of the private database: SEINE_DATA, or the usual place, if it isn't given. */
  readonly dataFolder?: string;
  /** Connections at most (10). */
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
