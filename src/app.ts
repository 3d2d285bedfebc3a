/** The composition root: opens what a command needs, and closes it again. */
import type { Config } from './config.ts';
import { openDataFolder } from './db/data-folder.ts';
import type { Database } from './db/database.ts';
import { openMigrated } from './db/open-migrated.ts';
import type { DatabaseOptions } from './db/pool.ts';
import { checkFingerprintKey, fingerprintKey } from './scans/results/fingerprint-key.ts';

export interface App {
  readonly config: Config;
  readonly db: Database;
  readonly secret: Buffer;
  close(): Promise<void>;
}

export type AppOptions = Pick<DatabaseOptions, 'endStandstillMs' | 'warn'>;

/** A process that is suspended in the middle of a checkpoint must not keep its shard locked: the next holder could not claim it. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

/** For a process that holds leases. */
export function openWorkingApp(config: Config, warn: (message: string) => void): Promise<App> {
  return openApp(config, { endStandstillMs: IDLE_IN_TRANSACTION_TIMEOUT_MS, warn });
}

export async function openApp(config: Config, options: AppOptions = {}): Promise<App> {
  const secret = openSecret(config);
  const { databaseUrl, directDatabaseUrl: directUrl, dataFolder, pool: max } = config;
  const db = await openMigrated({ databaseUrl, directUrl, dataFolder, max, ...options });
  try {
    await checkFingerprintKey(db, config.tenant, secret);
    return { config, db, secret, close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The data folder's secret; creates the folder if needed. */
export function openSecret(config: Config): Buffer {
  return fingerprintKey(openDataFolder(config.dataFolder));
}
