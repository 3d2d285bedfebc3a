/** The composition root: puts the parts together that a command needs, and takes them apart again. */
import type { Config } from './config.ts';
import { openDataFolder } from './db/data-folder.ts';
import type { Database } from './db/database.ts';
import { openMigrated } from './db/open-migrated.ts';
import type { DatabaseOptions } from './db/pool.ts';
import { checkFingerprintKey, fingerprintKey } from './scans/fingerprint-key.ts';

export interface App {
  readonly config: Config;
  readonly db: Database;
  readonly secret: Buffer;
  close(): Promise<void>;
}

export async function openApp(
  config: Config,
  more: Pick<DatabaseOptions, 'endStandstillMs'> = {},
): Promise<App> {
  const secret = openSecret(config);
  const { databaseUrl, dataFolder, pool: max } = config;
  const db = await openMigrated({ databaseUrl, dataFolder, max, ...more });
  try {
    await checkFingerprintKey(db, config.tenant, secret);
    return { config, db, secret, close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** The data folder's secret; the folder is made if need be. */
export function openSecret(config: Config): Buffer {
  return fingerprintKey(openDataFolder(config.dataFolder));
}
