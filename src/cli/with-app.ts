import { type App, openApp } from '../app.ts';
import { SeineError } from '../base/errors.ts';
import { newestScan, readScan, type ScanRow } from '../scans/scan-store.ts';
import { commandAgain } from './again.ts';
import { type CommonFlags, configOf, readScanId } from './options.ts';

export async function withApp<T>(flags: CommonFlags, work: (app: App) => Promise<T>): Promise<T> {
  const app = await openApp(configOf(flags));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

const ENDED = ['completed', 'incomplete', 'failed'] as const;

/** The scan that was named, or the newest one that has ended. */
export async function chooseScan(app: App, id: string | undefined, flags: CommonFlags): Promise<ScanRow> {
  const scan =
    id === undefined
      ? await newestScan(app.db, app.config.tenant, ENDED)
      : await readScan(app.db, readScanId(id));
  if (scan?.tenant === app.config.tenant) return scan;
  throw new SeineError('not-found', id === undefined ? 'No scan has ended yet.' : `There is no scan ${id}.`, {
    hint:
      id === undefined
        ? `Begin with: ${commandAgain(['scan', 'FOLDER'], flags)}`
        : `${commandAgain(['scans'], flags)} lists them all.`,
  });
}
