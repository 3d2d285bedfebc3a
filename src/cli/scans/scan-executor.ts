import type { Config } from '../../config.ts';
import { announceConfig } from '../config/announce-config.ts';
import type { CommonFlags } from '../options.ts';
import type { submitScan } from './submit-scan.ts';

/**
 * Returns the function that executes a scan: in single mode this process runs it; in distributed mode it is submitted to the workers, and
 * followed with `--wait`.
 */
export async function scanExecutor(config: Config, flags: CommonFlags): Promise<typeof submitScan> {
  announceConfig(config, flags.quiet);
  if (config.mode === 'single') return (await import('./run-and-report.ts')).runAndReport;
  return (await import('./submit-scan.ts')).submitScan;
}
