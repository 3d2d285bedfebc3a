/**
 * How fast a provider may be asked, in requests per second of one quota. The defaults stay below what the providers document
 * (noted in November 2026), since others use the same account:
 *   s3      3,500 writes and 5,500 reads a second for each prefix of keys; a fresh bucket is one
 *   gcs     about 1,000 writes and 5,000 reads and lists a second for a bucket, growing with use
 *   azure   20,000 a second for a storage account
 * A provider that is not named here gets OTHERS. A quota that is undefined (a local source) has no limit.
 */
import { SeineError } from '../../base/errors.ts';
import { minBurst, type Rate } from './limit.ts';

/** By provider, or for one whole quota. */
export type Rates = Readonly<Record<string, Rate>>;

const DEFAULTS: Rates = {
  s3: createRate(2500),
  gcs: createRate(2500),
  azure: createRate(5000),
};
const FALLBACK_RATE = createRate(100);

/** A quota begins with its provider: `s3:…`. */
export function rateFor(quota: string, rates: Rates): Rate {
  const provider = quota.split(':', 1)[0]!;
  return rates[quota] ?? rates[provider] ?? DEFAULTS[provider] ?? FALLBACK_RATE;
}

/** Without a burst it is three quarters of a second's requests. Throws a usage error when workers could not share so small a burst. */
export function createRate(perSecond: number, burst: number | null = null): Rate {
  const minimum = Math.ceil(minBurst(perSecond));
  if (burst === null) return { perSecond, burst: Math.max(minimum, 0.75 * perSecond) };
  if (burst >= minimum) return { perSecond, burst };
  throw new SeineError(
    'usage',
    `A burst of ${burst} is too small to be shared by several workers at ${perSecond} requests a second.`,
    { hint: `Make it at least ${minimum}, or leave it out.` },
  );
}
