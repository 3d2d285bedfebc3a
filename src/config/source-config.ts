/** Connection settings and limits of a target: the entry of `sources:` with the longest URL that is a prefix of the target. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Prices } from '../engine/budget/prices.ts';
import type { SourceSettings } from '../sources/settings.ts';
import { type Reference, resolveReference } from './values/reference.ts';

/** As in the file: `settings` holds no credentials; `credentials` holds references. */
export interface SourceEntry {
  /** Canonical: paths are `fs:/…`. */
  readonly url: string;
  readonly settings: SourceSettings;
  readonly credentials: Readonly<Record<string, Reference>>;
  /** Shards of this source at a time, over all workers. */
  readonly cap: number | null;
  /** Requests a second, over all workers. */
  readonly rate: number | null;
  readonly burst: number | null;
  /** Null for the provider's list prices. */
  readonly prices: Prices | null;
}

/** Resolved: `settings` holds the credentials in clear text. Must never be stored or shown. */
export type SourceConfig = SourceEntry;

/** Returns null if nothing is configured for this target. Throws a usage error if a referenced secret is missing. */
export function settingsFor(
  config: { readonly sources: readonly SourceEntry[] },
  target: string,
  env: NodeJS.ProcessEnv = process.env,
): SourceConfig | null {
  const entry = entryFor(config.sources, target);
  if (entry === null) return null;
  const secrets = Object.entries(entry.credentials).map(([name, reference]) => [
    name,
    resolveReference(reference, env),
  ]);
  if (secrets.length === 0) return entry;
  return { ...entry, settings: { ...entry.settings, credentials: Object.fromEntries(secrets) } };
}

function entryFor(sources: readonly SourceEntry[], target: string): SourceEntry | null {
  const expected = canonicalTarget(target);
  let best: SourceEntry | null = null;
  for (const entry of sources) {
    if (covers(entry.url, expected) && entry.url.length > (best?.url.length ?? -1)) best = entry;
  }
  return best;
}

/** Canonical form of a target: paths, `fs:PATH` and `file://PATH`; a bucket with and without a slash; Azure's URLs. */
export function canonicalTarget(target: string): string {
  if (target.startsWith('file://')) return `fs:${resolve(pathOf(target))}`;
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(target) ?? [];
  if (scheme === undefined) return `fs:${resolve(target.replace(/^fs:/, ''))}`;
  const url = azureName(target) ?? `${scheme.toLowerCase()}://${rest}`;
  return wholeNames(url) === url ? url.replace(/([^/])\/$/, '$1') : url;
}

/** `https://ACCOUNT.blob.core.windows.net/CONTAINER` is `az://ACCOUNT/CONTAINER`. */
function azureName(target: string): string | null {
  const url = /^https:/i.test(target) ? URL.parse(target) : null;
  const account = /^([a-z0-9-]+)\.blob\.core\.windows\.net$/.exec(url?.hostname ?? '')?.[1];
  try {
    return url && account ? `az://${account}${decodeURIComponent(url.pathname)}` : null;
  } catch {
    return null;
  }
}

/**
 * Within a bucket the URL is a string prefix, as in targets: `s3://data/hr` covers `s3://data/hr-old`. Names of buckets, containers and
 * folders must match completely: `s3://data` does not cover the bucket `s3://data-old`.
 */
function covers(url: string, target: string): boolean {
  if (!target.startsWith(url)) return false;
  const isPrefix = !url.startsWith('fs:') && wholeNames(url) !== url;
  return isPrefix || url.endsWith('/') || target.length === url.length || target[url.length] === '/';
}

/** The part of a URL up to its bucket, with a slash if there is one; Azure has an account before the container. */
function wholeNames(url: string): string {
  const names = /^(az|https?):/.test(url) ? /^[^:]*:\/\/[^/]*(?:\/[^/]*)?\/?/ : /^[^:]*:\/\/[^/]*\/?/;
  return names.exec(url)?.[0] ?? url;
}

const PROVIDERS: Readonly<Record<string, string>> = {
  s3: 's3',
  gs: 'gcs',
  az: 'azure',
};

export function providerOf(canonical: string): string | null {
  if (canonical.startsWith('fs:')) return 'fs';
  return PROVIDERS[canonical.slice(0, canonical.indexOf(':')).toLowerCase()] ?? null;
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url.slice('file://'.length);
  }
}
