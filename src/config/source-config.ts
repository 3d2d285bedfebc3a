/** How a target is reached, and how hard: the entry of `sources:` whose address is the longest beginning of the target. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceSettings } from '../sources/settings.ts';
import { type Reference, resolveReference } from './reference.ts';

/** As in the file: the settings are without credentials, those are references. */
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
  readonly prices: Prices | null;
}

/** In dollars: for 1,000 requests, and for a gigabyte read. */
export interface Prices {
  readonly list: number;
  readonly read: number;
  readonly gigabyte: number;
}

/** For use: the settings hold the credentials in clear. Never to be stored or shown. */
export type SourceConfig = SourceEntry;

/** Null: nothing is configured for this target. Throws a usage error when a secret that is referred to is not there. */
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
  const wanted = canonicalTarget(target);
  let best: SourceEntry | null = null;
  for (const entry of sources) {
    if (covers(entry.url, wanted) && entry.url.length > (best?.url.length ?? -1)) best = entry;
  }
  return best;
}

/** One name for one place: paths, `fs:PATH` and `file://PATH` are the same; so are a bucket with and without a slash. */
export function canonicalTarget(target: string): string {
  if (target.startsWith('file://')) return `fs:${resolve(pathOf(target))}`;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) return target.replace(/^([^:]*:\/\/[^/]+)\/$/, '$1');
  return `fs:${resolve(target.replace(/^fs:/, ''))}`;
}

/**
 * Within a bucket a prefix is only a beginning, as it is for targets: `s3://data/hr` covers `s3://data/hr-old`. A bucket and a
 * folder are whole: `s3://data` does not cover the bucket `s3://data-old`.
 */
function covers(url: string, target: string): boolean {
  if (!target.startsWith(url)) return false;
  const isPrefix = !url.startsWith('fs:') && /^[^:]*:\/\/[^/]+\//.test(url);
  return isPrefix || url.endsWith('/') || target.length === url.length || target[url.length] === '/';
}

const PROVIDERS: Readonly<Record<string, string>> = {
  s3: 's3',
  gs: 'gcs',
  gcs: 'gcs',
  az: 'azure',
  azure: 'azure',
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
