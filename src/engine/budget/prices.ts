/**
 * Default prices of providers: list prices without free allowances, in US regions, for the standard storage
 * class (S3 Standard, Google Standard, Azure Hot with local redundancy), as of November 2026. Transfer is
 * priced as internet egress: within the region it usually costs nothing, and the price should be set to 0.
 */
export type RequestKind = 'list' | 'read' | 'head' | 'write';

/** Per 1,000 requests, and per gigabyte (1e9 bytes) transferred. */
export interface Prices {
  readonly list: number;
  /** Includes metadata requests (head). */
  readonly read: number;
  /** Defaults to the price of listing. */
  readonly write?: number;
  readonly gigabyte: number;
}

const DEFAULTS: Readonly<Record<string, Prices>> = {
  s3: { list: 0.005, read: 0.0004, gigabyte: 0.09 },
  gcs: { list: 0.005, read: 0.0004, gigabyte: 0.12 },
  azure: { list: 0.005, read: 0.0004, gigabyte: 0.087 },
};
const FREE: Prices = { list: 0, read: 0, gigabyte: 0 };

/** Prices by the provider prefix of a quota (`s3:…`). Other providers and local sources cost nothing. */
export function pricesFor(quota: string | undefined): Prices {
  return DEFAULTS[quota?.split(':', 1)[0] ?? ''] ?? FREE;
}

/** In billionths of the currency, rounded up so that the cost is never underestimated. */
export function costOf(prices: Prices, kind: RequestKind, bytes: number): number {
  const { list, read, write = list, gigabyte } = prices;
  const thousand = { list, read, head: read, write }[kind];
  return Math.max(0, Math.ceil(thousand * 1e6 + bytes * gigabyte - 1e-6)); // ignores floating-point error below a billionth
}
