/**
 * The hooks of a scan, from the command line and the configuration. Errors are reported before the scan
 * starts.
 */
import { resolve } from 'node:path';
import { SeineError } from '../../base/errors.ts';
import { checkWritable, folderOf } from '../../sources/writer/open-writer.ts';
import {
  ENDS,
  type End,
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportSettings,
  type HookSettings,
  type Reference,
  type WebhookSettings,
} from './hook.ts';
import { checkWebhookUrl, sealUrl } from './webhook/webhook-url.ts';

export interface HookFlags {
  /** `--webhook URL`, repeatable. */
  readonly webhook?: readonly string[];
  /** `--export TARGET[:FORMAT]`, repeatable. */
  readonly export?: readonly string[];
}

/** The context that hooks depend on besides the flags. */
export interface FlagContext {
  readonly env: NodeJS.ProcessEnv;
  /** The host affinity of this machine, for local folders. */
  readonly place: string;
}

const SECRET = 'SEINE_WEBHOOK_SECRET';

export function hooksFromFlags(flags: HookFlags, { env, place }: FlagContext): HookSettings[] {
  const secret: Reference | null = env[SECRET] ? { from: 'env', name: SECRET } : null;
  const allowPrivate = env.SEINE_WEBHOOK_ALLOW_PRIVATE === 'true';
  return [
    ...(flags.webhook ?? []).map((url) => webhookOf(url, secret, allowPrivate)),
    ...(flags.export ?? []).map((text) => exportOf(text, place)),
  ];
}

function webhookOf(text: string, secret: Reference | null, allowPrivate: boolean): WebhookSettings {
  // With a variable in it, the URL is known only where it is used.
  const name = text.includes('${') ? 'webhook' : `webhook ${checkWebhookUrl(text).host}`;
  return { kind: 'webhook', name, url: { from: 'text', text }, secret, on: ENDS, allowPrivate };
}

function exportOf(text: string, place: string): ExportSettings {
  const { target, format } = splitFormat(text);
  return toExportSettings(target, format, { name: `export ${target}`, on: ENDS, place });
}

/** Splits `s3://bucket/prefix:jsonl`, `out/:jsonl`; default Parquet. `fs:out` is a folder. */
function splitFormat(text: string): { target: string; format: ExportFormat } {
  const [, target, word] = /^(.*):([a-z][\w.-]*)$/is.exec(text) ?? [];
  if (target === undefined || target === 'fs') return { target: text, format: 'parquet' };
  const format = EXPORT_FORMATS.find((name) => name === word?.toLowerCase());
  if (format !== undefined) return { target, format };
  throw new SeineError('usage', `Unknown export format "${word}".`, {
    hint: `Formats: ${EXPORT_FORMATS.join(', ')}. If it is part of a folder name, append a /.`,
  });
}

/** An entry of `hooks:` in the configuration. */
export type HookEntry =
  | {
      readonly kind: 'webhook';
      readonly name: string;
      readonly url: Reference;
      readonly secret: Reference | null;
      readonly on: readonly End[];
      readonly allowPrivate?: boolean;
    }
  | {
      readonly kind: 'export';
      readonly name: string;
      readonly target: string;
      readonly format: ExportFormat;
      readonly on: readonly End[];
      /** All workers see the folder under the same path. */
      readonly shared?: boolean;
    };

export function hooksFromConfig(entries: readonly HookEntry[], place: string): HookSettings[] {
  return entries.map((entry) => {
    if (entry.kind === 'webhook') return { ...entry, allowPrivate: entry.allowPrivate ?? false };
    const { target, format, name, on, shared } = entry;
    checkNoFormat(target);
    return toExportSettings(target, format, { name, on, place: shared ? null : place });
  });
}

/** The format suffix is only supported by --export; here it would become part of a folder's name. */
function checkNoFormat(target: string): void {
  const ending = EXPORT_FORMATS.find((format) => target.toLowerCase().endsWith(`:${format}`));
  if (ending === undefined) return;
  throw new SeineError('usage', `The target ${target} of an export ends with a format.`, {
    hint: `Write it without :${ending}, and format: ${ending} beside it.`,
  });
}

/** Encrypts the secrets, as they are stored with the scan. */
export function sealedHooks(hooks: readonly HookSettings[], secret: Uint8Array): HookSettings[] {
  return hooks.map((hook) => {
    if (hook.kind !== 'webhook' || hook.url.from !== 'text') return hook;
    return { ...hook, url: { from: 'text', text: sealUrl(hook.url.text, secret) } };
  });
}

function toExportSettings(
  target: string,
  format: ExportFormat,
  { name, on, place }: Pick<ExportSettings, 'name' | 'on' | 'place'>,
): ExportSettings {
  if (checkWritable(target) !== null) return { kind: 'export', name, target, format, on, place: null };
  return { kind: 'export', name, target: resolve(folderOf(target)), format, on, place };
}
