/**
 * What providers ask for. List prices without free allowances, in US regions, for the class of storage that is usual
 * (S3 Standard, Google Standard, Azure Hot with local redundancy), noted in November 2026. Transfer is counted as if it left
 * the provider for the internet: within the region it usually costs nothing, and then the price should be set to 0.
 */
export type RequestKind = 'list' | 'read' | 'head' | 'write';

/** For 1,000 requests, and for a gigabyte (1e9 bytes) transferred. */
export interface Prices {
  readonly list: number;
  /** Also for looking at one object (head). */
  readonly read: number;
  /** As much as listing, unless it is said. */
  readonly write?: number;
  readonly gigabyte: number;
}

const DEFAULTS: Readonly<Record<string, Prices>> = {
  s3: { list: 0.005, read: 0.0004, gigabyte: 0.09 },
  gcs: { list: 0.005, read: 0.0004, gigabyte: 0.12 },
  azure: { list: 0.005, read: 0.0004, gigabyte: 0.087 },
};
const FREE: Prices = { list: 0, read: 0, gigabyte: 0 };

/** The provider that a quota begins with: `s3:…`. Others, and local sources, cost nothing. */
export function pricesFor(quota: string | undefined): Prices {
  return DEFAULTS[quota?.split(':', 1)[0] ?? ''] ?? FREE;
}

/** In billionths of the currency, rounded up: never too little. */
export function costOf(prices: Prices, kind: RequestKind, bytes: number): number {
  const { list, read, write = list, gigabyte } = prices;
  const thousand = { list, read, head: read, write }[kind];
  return Math.max(0, Math.ceil(thousand * 1e6 + bytes * gigabyte - 1e-6)); // what a float is off by is no billionth
}
