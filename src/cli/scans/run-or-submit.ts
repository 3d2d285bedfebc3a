import type { App } from '../../app.ts';
import type { Config } from '../../config.ts';
import type { Jobs } from '../../engine/jobs/jobs.ts';
import type { ScanRow } from '../../scans/lifecycle/scan-store.ts';
import { announceConfig } from '../config/announce-config.ts';
import type { CommonFlags } from '../options.ts';
import type { ResultFlags } from '../results/result-options.ts';

/** In single mode this process runs the scan; in distributed mode it submits the scan to the workers and waits only with `--wait`. */
export async function runOrSubmit(
  config: Config,
  flags: CommonFlags & ResultFlags & { readonly wait?: boolean },
  begin: (app: App, jobs: Jobs) => Promise<ScanRow>,
): Promise<number> {
  announceConfig(config, flags.quiet);
  if (config.mode === 'single') {
    const { runAndReport } = await import('./run-and-report.ts');
    return runAndReport(config, flags, begin);
  }
  const { submitScan } = await import('./submit-scan.ts');
  return submitScan(config, flags, begin);
}
