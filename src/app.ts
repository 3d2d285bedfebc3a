/** The composition root: puts the parts together that a command needs, and takes them apart again. */
import type { Bell } from './base/bell.ts';
import type { Config } from './config.ts';
import { openDataFolder } from './db/data-folder.ts';
import type { Database } from './db/database.ts';
import { migrate } from './db/migrate.ts';
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
  const db = await openDatabase({ databaseUrl: config.databaseUrl, dataFolder: config.dataFolder });
  try {
    await migrate(db);
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

/** The jobs of scans, worked on by this process while it runs. */
export async function openJobs(app: App, news: Bell, warn: (message: string) => void) {
  const onError = seldom(warn);
  const { startJobs } = await import('./engine/jobs/jobs.ts');
  const { planScan } = await import('./scans/plan.ts');
  const { finalizeScan } = await import('./scans/finalize.ts');
  const { hooks } = await import('./scans/hooks/hooks.ts');
  const { failScan } = await import('./scans/scan-store.ts');
  const jobs = await startJobs(
    app.db,
    {
      plan: async ({ scan }: { scan: number }) => {
        await planScan(app.db, scan);
        news.ring();
      },
      finalize: async ({ scan }: { scan: number }) => {
        await finalizeScan(app.db, jobs, scan);
        news.ring();
      },
      hook: async ({ hook, scan }: { hook: string; scan: number }) => hooks[hook]?.(app.db, scan),
    },
    {
      onError,
      onGivenUp: async (name, data, reason) => {
        onError(`job ${name} was given up: ${reason}`);
        // A hook's failure is its own; without a plan or an end there is no scan.
        if (name !== 'hook') await failScan(app.db, (data as { scan: number }).scan, reason);
        news.ring();
      },
    },
  );
  return jobs;
}

/** While a database is away every look for jobs fails: the same sentence is said once in half a minute. */
function seldom(warn: (message: string) => void): (message: string) => void {
  const said = new Map<string, number>();
  return (message) => {
    if (performance.now() - (said.get(message) ?? Number.NEGATIVE_INFINITY) < 30_000) return;
    said.set(message, performance.now());
    warn(message);
  };
}
