/** How much a source holds, from a bounded number of listing requests; a folder is listed whole. */
import { FULL_RANGE } from '../../base/range.ts';
import { isObjectError, type Source } from '../../sources/source.ts';
import type { Estimate } from './estimate.ts';
import type { EstimatedRange } from './estimated-range.ts';
import { estimateProbes } from './plan-probes.ts';
import { runProbes } from './probing.ts';
import type { RangeEstimator } from './range-estimator.ts';

export interface EstimateOptions {
  readonly calls: number;
  readonly signal: AbortSignal;
}

export async function estimateSource(source: Source, options: EstimateOptions): Promise<Estimate> {
  if (!source.page) return countByListing(source, options.signal);
  const { result, calls } = await runProbes(source, estimateProbes(options.calls), options.signal);
  return estimateOf(result, calls);
}

/** Where nobody looked there may be more than anything beside it suggests: one heavy folder among many light ones. */
const UNCERTAINTY_FACTOR = 3;

/** What nobody looked at may be empty, or as full as anything like it and fuller. */
export function estimateOf(explorer: RangeEstimator, calls: number): Estimate {
  const { ranges } = explorer;
  const seen = ranges.filter((part) => part.counted !== null);
  const known = sum(seen.map((part) => part.count));
  const bytes = sum(seen.map((part) => part.counted!.bytes));
  const each = known === 0 ? 0 : bytes / known;
  const objects = {
    low: known,
    likely: likelyTotal(ranges),
    high: sum(
      ranges.map(({ counted: seen, count, maxCount }) =>
        seen ? count : UNCERTAINTY_FACTOR * Math.max(count, maxCount),
      ),
    ),
  };
  const exact = seen.length === ranges.length;
  return {
    objects,
    bytes: { low: bytes, likely: objects.likely * each, high: objects.high * each },
    exact,
    calls,
  };
}

/** That one stretch which nobody saw holds more than all others together is possible, but not likely. */
function likelyTotal(parts: readonly EstimatedRange[]): number {
  const total = sum(parts.map((part) => part.count));
  const largest = Math.max(0, ...parts.map(({ counted, count }) => (counted ? 0 : count)));
  return total - largest + Math.min(largest, total - largest);
}

/** Listing a folder costs little and reads nothing: all of it. */
async function countByListing(source: Source, signal: AbortSignal): Promise<Estimate> {
  let objects = 0;
  let bytes = 0;
  for await (const batch of source.list(FULL_RANGE, signal)) {
    objects += batch.length;
    for (const item of batch) if (!isObjectError(item)) bytes += item.size;
  }
  const exactly = (seen: number) => ({ low: seen, likely: seen, high: seen });
  return { objects: exactly(objects), bytes: exactly(bytes), exact: true, calls: 0 };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
