import { resolve } from 'node:path';
import type { SourceSettings } from '../sources/settings.ts';
import type { SourceValues } from './declaration.ts';
import { asWritten } from './interpolate.ts';
import type { Reference } from './reference.ts';
import { canonicalTarget, type SourceEntry } from './source-config.ts';

/** From valid entries of the file, whose folder is where relative paths begin. */
export function sourceEntries(sources: readonly SourceValues[], folder: string): SourceEntry[] {
  return sources.map((source) => ({
    url: canonicalTarget(source.url!),
    settings: settingsOf(source),
    credentials: credentialsOf(source.credentials, folder),
    cap: source.cap ?? null,
    rate: source.rate ?? null,
    burst: source.burst ?? null,
    prices: pricesOf(source.prices),
  }));
}

function settingsOf(source: SourceValues): SourceSettings {
  const { endpoint, region, profile, account, project, anonymous, shared } = source;
  return given({
    endpoint,
    region,
    profile,
    account,
    project,
    anonymous,
    requesterPays: source.requester_pays,
    pathStyle: source.path_style,
    shared,
  });
}

function credentialsOf(values: SourceValues['credentials'], folder: string): Record<string, Reference> {
  const { key_file } = values;
  return given({
    accessKeyId: values.access_key_id,
    secretAccessKey: values.secret_access_key,
    sessionToken: values.session_token,
    connectionString: values.connection_string,
    accountKey: values.account_key,
    sasToken: values.sas_token,
    keyFile: key_file && ({ from: 'text', text: asWritten(resolve(folder, key_file)) } as const),
    token: values.token,
  });
}

/** A provider with one price has the others for nothing. */
function pricesOf({ list, read, gigabyte }: SourceValues['prices']): SourceEntry['prices'] {
  if (list === undefined && read === undefined && gigabyte === undefined) return null;
  return { list: list ?? 0, read: read ?? 0, gigabyte: gigabyte ?? 0 };
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined | ''> };

/** Without what isn't there. */
function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}
