import { resolve } from 'node:path';
import { pricesFor } from '../engine/budget/prices.ts';
import type { SourceSettings } from '../sources/settings.ts';
import type { SourceValues } from './declaration/declaration.ts';
import { canonicalTarget, providerOf, type SourceEntry } from './source-config.ts';
import { escapeVariables } from './values/interpolate.ts';
import type { Reference } from './values/reference.ts';

/** Converts valid entries of the file. Relative paths are resolved against `folder`. */
export function sourceEntries(sources: readonly SourceValues[], folder: string): SourceEntry[] {
  return sources.map((source) => entryOf(source, canonicalTarget(source.url!), folder));
}

function entryOf(source: SourceValues, url: string, folder: string): SourceEntry {
  return {
    url,
    settings: settingsOf(source),
    credentials: credentialsOf(source.credentials, folder),
    cap: source.cap ?? null,
    rate: source.rate ?? null,
    burst: source.burst ?? null,
    prices: pricesOf(source.prices, url),
  };
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
    keyFile: key_file && ({ from: 'text', text: escapeVariables(resolve(folder, key_file)) } as const),
    token: values.token,
  });
}

/** Missing prices are those of the provider's price list. */
function pricesOf(prices: SourceValues['prices'], url: string): SourceEntry['prices'] {
  const configured = given(prices);
  if (Object.keys(configured).length === 0) return null;
  return { ...pricesFor(providerOf(url) ?? undefined), ...configured };
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined | ''> };

/** Omits undefined values. */
function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}
