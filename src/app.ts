/** The composition root: puts the parts together that a command needs, and takes them apart again. */
import type { Config } from './config.ts';
import { openDataFolder } from './db/data-folder.ts';
import type { Database } from './db/database.ts';
import { migrate, seesSchema } from './db/migrate.ts';
import { openDatabase } from './db/pool.ts';
import { checkFingerprintKey, fingerprintKey } from './scans/fingerprint-key.ts';

export interface App {
  readonly config: Config;
  readonly db: Database;
  readonly secret: Buffer;
  close(): Promise<void>;
}

export async function openApp(config: Config): Promise<App> {
  const secret = openSecret(config);
  const db = await openMigrated(config);
  try {
    await checkFingerprintKey(db, config.tenant, secret);
    return { config, db, secret, close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function openMigrated(config: Config): Promise<Database> {
  const { databaseUrl, dataFolder, pool: max } = config;
  for (;;) {
    const db = await openDatabase({ databaseUrl, dataFolder, max });
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

/** The data folder's secret; the folder is made if need be. */
export function openSecret(config: Config): Buffer {
  return fingerprintKey(openDataFolder(config.dataFolder));
}
