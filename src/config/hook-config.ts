/** The hooks of `hooks:`, run after a scan has ended. Secrets are references, resolved by `resolveReference`. */
import type { Reference } from './values/reference.ts';

export const ENDS = ['completed', 'incomplete', 'failed', 'cancelled'] as const;
export const EXPORT_FORMATS = ['jsonl', 'jsonl.gz', 'parquet'] as const;

export type HookConfig = WebhookConfig | ExportConfig;

interface AnyHook {
  /** As given, else its type and number, such as `webhook 2`, so that it is stable while the file is unchanged. */
  readonly name: string;
  readonly on: readonly (typeof ENDS)[number][];
}

interface WebhookConfig extends AnyHook {
  readonly kind: 'webhook';
  readonly url: Reference;
  readonly secret: Reference | null;
  /** Whether the webhook may be on a private network. */
  readonly allowPrivate: boolean;
}

interface ExportConfig extends AnyHook {
  readonly kind: 'export';
  readonly target: string;
  readonly format: (typeof EXPORT_FORMATS)[number];
  /** Whether the folder is mounted at the same path on every worker. */
  readonly shared: boolean;
}

interface HookEntry {
  readonly name: string | undefined;
  readonly webhook: Reference | undefined;
  readonly secret: Reference | undefined;
  readonly export: string | undefined;
  readonly format: (typeof EXPORT_FORMATS)[number] | undefined;
  readonly allow_private: boolean | undefined;
  readonly shared: boolean | undefined;
  readonly on: AnyHook['on'];
}

/** Converts valid entries: each has a webhook or an export. */
export function hookConfigs(entries: readonly HookEntry[]): HookConfig[] {
  const names = nameHooks(entries);
  return entries.map((entry, index) => {
    const hook = { name: names[index]!, on: entry.on };
    if (entry.webhook === undefined) {
      const { export: target, format = 'parquet', shared = false } = entry;
      return { ...hook, kind: 'export', target: target!, format, shared };
    }
    const { webhook: url, secret = null, allow_private: allowPrivate = false } = entry;
    return { ...hook, kind: 'webhook', url, secret, allowPrivate };
  });
}

/** `webhook 1`, `webhook 2`, `export 1`. */
export function nameHooks(entries: readonly Pick<HookEntry, 'name' | 'webhook'>[]): string[] {
  const counts = { webhook: 0, export: 0 };
  return entries.map(({ name, webhook }) => {
    const kind = webhook ? 'webhook' : 'export';
    counts[kind]++;
    return name ?? `${kind} ${counts[kind]}`;
  });
}
