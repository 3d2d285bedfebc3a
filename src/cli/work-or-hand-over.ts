import type { App } from '../app.ts';
import type { Config } from '../config.ts';
import type { Jobs } from '../engine/jobs/jobs.ts';
import type { ScanRow } from '../scans/scan-store.ts';
import { announceConfig } from './announce-config.ts';
import type { CommonFlags } from './options.ts';
import type { ResultFlags } from './result-options.ts';

/** Alone this process does the work itself; in distributed mode the workers do, and it waits only when it is told to. */
export async function workOrHandOver(
  config: Config,
  flags: CommonFlags & ResultFlags & { readonly wait?: boolean },
  begin: (app: App, jobs: Jobs) => Promise<ScanRow>,
): Promise<number> {
  announceConfig(config, flags.quiet);
  if (config.mode === 'single') {
    const { workAndShow } = await import('./work-and-show.ts');
    return workAndShow(config, flags, begin);
  }
  const { handOver } = await import('./hand-over.ts');
  return handOver(config, flags, begin);
}
