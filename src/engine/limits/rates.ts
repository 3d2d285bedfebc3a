/**
 * How fast a provider may be asked, in requests per second of one quota. The defaults stay below what the providers document
 * (noted in November 2026), since others use the same account:
 *   s3      3,500 writes and 5,500 reads a second for each prefix of keys; a fresh bucket is one
 *   gcs     about 1,000 writes and 5,000 reads and lists a second for a bucket, growing with use
 *   azure   20,000 a second for a storage account
 * A provider that is not named here gets OTHERS. A quota that is undefined (a local source) has no limit.
 */
import { SeineError } from '../../base/errors.ts';
import { leastBurst, type Rate } from './limit.ts';

/** By provider, or for one whole quota. */
export type Rates = Readonly<Record<string, Rate>>;

const DEFAULTS: Rates = {
  s3: rateOf(2500),
  gcs: rateOf(2500),
  azure: rateOf(5000),
};
const OTHERS = rateOf(100);

/** A quota begins with its provider: `s3:…`. */
export function rateFor(quota: string, rates: Rates): Rate {
  const provider = quota.split(':', 1)[0]!;
  return rates[quota] ?? rates[provider] ?? DEFAULTS[provider] ?? OTHERS;
}

/** Without a burst it is three quarters of a second's requests. Throws a usage error when workers could not share so small a burst. */
export function rateOf(perSecond: number, burst: number | null = null): Rate {
  const least = Math.ceil(leastBurst(perSecond));
  if (burst === null) return { perSecond, burst: Math.max(least, 0.75 * perSecond) };
  if (burst >= least) return { perSecond, burst };
  throw new SeineError(
    'usage',
    `A burst of ${burst} is too small to be shared by several workers at ${perSecond} requests a second.`,
    { hint: `Make it at least ${least}, or leave it out.` },
  );
}
