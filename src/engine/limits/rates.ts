/**
 * Default rates of providers, in requests per second of one quota. They are below the documented limits
 * (as of November 2026), since other clients use the same account:
 *   s3      3,500 writes and 5,500 reads a second for each key prefix; a new bucket is one
 *   gcs     about 1,000 writes and 5,000 reads and lists a second for a bucket, growing with use
 *   azure   20,000 a second for a storage account
 * A provider that is not named here gets OTHERS. A quota that is undefined (a local source) has no limit.
 */
import { SeineError } from '../../base/errors.ts';
import { minBurst, type Rate } from './limit.ts';

/** Keyed by provider, or by one whole quota. */
export type Rates = Readonly<Record<string, Rate>>;

const DEFAULTS: Rates = {
  s3: createRate(2500),
  gcs: createRate(2500),
  azure: createRate(5000),
};
const FALLBACK_RATE = createRate(100);

/** Looks up the quota, then its provider prefix (`s3:…`). */
export function rateFor(quota: string, rates: Rates): Rate {
  const provider = quota.split(':', 1)[0]!;
  return rates[quota] ?? rates[provider] ?? DEFAULTS[provider] ?? FALLBACK_RATE;
}

/**
 * The burst defaults to three quarters of a second's requests. Throws a usage error when a burst is too
 * small to be shared by workers.
 */
export function createRate(perSecond: number, burst: number | null = null): Rate {
  const minimum = Math.ceil(minBurst(perSecond));
  if (burst === null) return { perSecond, burst: Math.max(minimum, 0.75 * perSecond) };
  if (burst >= minimum) return { perSecond, burst };
  throw new SeineError(
    'usage',
    `A burst of ${burst} is too small to be shared by several workers at ${perSecond} requests a second.`,
    { hint: `Make it at least ${minimum}, or omit it.` },
  );
}
