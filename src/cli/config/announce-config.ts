/** What a scan runs with, before it begins: a configuration that was picked up by mistake must be noticed then, not afterwards. */
import type { HookConfig } from '../../config/hook-config.ts';
import { formatReference, type Reference } from '../../config/reference.ts';
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
  return hook.kind === 'webhook' ? `sends to ${host(hook.url)}` : `writes to ${hook.target}`;
}

/** The path of a webhook is often its password. */
function host(url: Reference): string {
  if (url.from === 'env') return `the address in the variable ${url.name}`;
  if (url.from === 'file') return `the address in the file ${url.path}`;
  return /^https?:\/\/[^/?#@]*(?=[/?#]|$)/.exec(formatReference(url))?.[0] ?? 'an address with variables';
}
