/** Prints the configuration a scan uses before it starts, so that a file found by mistake is noticed in time. */
import type { HookConfig } from '../../config/hook-config.ts';
import { formatReference, type Reference } from '../../config/values/reference.ts';
import type { Config } from '../../config.ts';
import { visible } from '../output/visible.ts';

export function announceConfig(config: Pick<Config, 'file' | 'hooks'>, quiet = false): void {
  if (!quiet) for (const line of announcement(config)) process.stderr.write(`${visible(line)}\n`);
}

export function announcement({ file, hooks }: Pick<Config, 'file' | 'hooks'>): string[] {
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
