/**
 * Estimates the size of a source from a bounded number of listing requests; a folder is listed completely.
 */
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

/** Unprobed ranges may contain more than their neighbours suggest: one heavy folder among many light ones. */
const UNCERTAINTY_FACTOR = 3;

/** Unprobed ranges may be empty, or as dense as similar ones and denser. */
export function estimateOf(estimator: RangeEstimator, calls: number): Estimate {
  const { ranges } = estimator;
  const seen = ranges.filter((part) => part.counted !== null);
  const counted = sum(seen.map((part) => part.count));
  const bytes = sum(seen.map((part) => part.counted!.bytes));
  const each = counted === 0 ? 0 : bytes / counted;
  const objects = {
    low: counted,
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

/** One unprobed range may contain more than all others together, but that is not likely. */
function likelyTotal(parts: readonly EstimatedRange[]): number {
  const total = sum(parts.map((part) => part.count));
  const largest = Math.max(0, ...parts.map(({ counted, count }) => (counted ? 0 : count)));
  return total - largest + Math.min(largest, total - largest);
}

/** Lists a local folder completely, which is cheap and reads no content. */
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
