import { type App, openApp } from '../app.ts';
import { SeineError } from '../base/errors.ts';
import { newestScan, readScan, type ScanRow } from '../scans/lifecycle/scan-store.ts';
import { type CommonFlags, configOf, parseScanId } from './options.ts';
import { suggestCommand } from './suggest-command.ts';

export async function withApp<T>(flags: CommonFlags, fn: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(configOf(flags));
  try {
    return await fn(app);
  } finally {
    await app.close();
  }
}

const ENDED = ['completed', 'incomplete', 'failed'] as const;

/** Returns the given scan, or the newest one that has ended. */
export async function chooseScan(app: App, id: string | undefined, flags: CommonFlags): Promise<ScanRow> {
  const scan =
    id === undefined
      ? await newestScan(app.db, app.config.tenant, ENDED)
      : await readScan(app.db, parseScanId(id));
  if (scan?.tenant === app.config.tenant) return scan;
  throw new SeineError('not-found', id === undefined ? 'No scan has ended yet.' : `No scan ${id}.`, {
    hint:
      id === undefined
        ? `Start one with: ${suggestCommand(['scan', 'FOLDER'], flags)}`
        : `List the scans: ${suggestCommand(['scans'], flags)}`,
  });
}
