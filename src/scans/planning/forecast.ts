/**
 * Forecasts requests, cost and time of a scan from its estimated size, for several numbers of workers. Pure
 * arithmetic.
 */
import type { Estimate, Spread } from './estimate.ts';

export interface ForecastContext {
  readonly source: string;
  readonly remote: boolean;
  /** Per 1,000 requests, and per gigabyte. */
  readonly prices: { readonly list: number; readonly read: number; readonly gigabyte: number };
  /** Requests per second of all workers together; null: unlimited. */
  readonly perSecond: number | null;
  readonly workers: readonly number[];
}

export interface Forecast {
  readonly source: string;
  readonly objects: Spread;
  readonly bytes: Spread;
  /** Everything was listed: nothing is estimated. */
  readonly exact: boolean;
  /** Listing requests used for the estimate. */
  readonly calls: number;
  readonly requests: Spread | null;
  readonly cost: Spread | null;
  readonly seconds: readonly { readonly workers: number; readonly likely: Spread }[];
}

const PAGE = 1000;
/**
 * Throughput of one worker with two threads, from a bucket nearby and from a local disk. Real machines vary
 * by a factor of two or three, so the interval does, too.
 */
const REMOTE = { objectsPerSecond: 300, bytesPerSecond: 60e6 };
const LOCAL = { objectsPerSecond: 9000, bytesPerSecond: 120e6 };
const SPEED_UNCERTAINTY = 2.5;

export function forecast(estimate: Estimate, context: ForecastContext): Forecast {
  const { objects, bytes, exact, calls } = estimate;
  const requests = context.remote ? map(objects, requestsFor) : null;
  const { list, read, gigabyte } = context.prices;
  const costOf = (count: number, size: number) =>
    (Math.ceil(count / PAGE) * list + count * read) / 1000 + (size / 1e9) * gigabyte;
  const cost = context.remote && {
    low: costOf(objects.low, bytes.low),
    likely: costOf(objects.likely, bytes.likely),
    high: costOf(objects.high, bytes.high),
  };
  const seconds = context.workers.map((workers) => ({
    workers,
    likely: timeFor(estimate, context, workers),
  }));
  return { source: context.source, objects, bytes, exact, calls, requests, cost: cost || null, seconds };
}

function timeFor(
  { objects, bytes }: Estimate,
  { remote, perSecond }: ForecastContext,
  workers: number,
): Spread {
  const { objectsPerSecond, bytesPerSecond } = remote ? REMOTE : LOCAL;
  const time = (count: number, size: number, speed: number) => {
    const work = Math.max(count / objectsPerSecond, size / bytesPerSecond) / workers / speed;
    return perSecond === null ? work : Math.max(work, requestsFor(count) / perSecond);
  };
  return {
    low: time(objects.low, bytes.low, SPEED_UNCERTAINTY),
    likely: time(objects.likely, bytes.likely, 1),
    high: time(objects.high, bytes.high, 1 / SPEED_UNCERTAINTY),
  };
}

function requestsFor(objects: number): number {
  return objects + Math.ceil(objects / PAGE);
}

function map({ low, likely, high }: Spread, of: (value: number) => number): Spread {
  return { low: of(low), likely: of(likely), high: of(high) };
}
