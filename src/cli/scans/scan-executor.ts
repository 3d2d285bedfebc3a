import type { HookConfig } from '../../config/hook-config.ts';
import { formatReference, type Reference } from '../../config/values/reference.ts';
import type { Config } from '../../config.ts';
import type { CommonFlags } from '../options.ts';
import { visible } from '../output/visible.ts';
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

/** Prints the configuration a scan uses before it starts, so that a file found by mistake is noticed in time. */
function announceConfig(config: Pick<Config, 'file' | 'hooks'>, quiet = false): void {
  if (!quiet) for (const line of announcement(config)) process.stderr.write(`${visible(line)}\n`);
}

function announcement({ file, hooks }: Pick<Config, 'file' | 'hooks'>): string[] {
  if (file === null) return [];
  return [`Configuration: ${file}`, ...hooks.map((hook) => `  hook ${hook.name}: ${destination(hook)}`)];
}

function destination(hook: HookConfig): string {
  return hook.kind === 'webhook' ? `POST to ${host(hook.url)}` : `write to ${hook.target}`;
}

/** Shows only the host: the path of a webhook URL is often a secret. */
function host(url: Reference): string {
  if (url.from === 'env') return `the URL in the variable ${url.name}`;
  if (url.from === 'file') return `the URL in the file ${url.path}`;
  return /^https?:\/\/[^/?#@]*(?=[/?#]|$)/.exec(formatReference(url))?.[0] ?? 'a URL with variables';
}
