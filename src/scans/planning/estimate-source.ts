/** How much a source holds, from a bounded number of listing requests; a folder is listed whole. */
import { EVERYTHING } from '../../base/range.ts';
import { isObjectError, type Source } from '../../sources/source.ts';
import type { Estimate } from './estimate.ts';
import type { Explorer } from './explorer.ts';
import { look } from './looking.ts';
import { exploreSteps } from './plan-steps.ts';

export interface EstimateOptions {
  readonly calls: number;
  readonly signal: AbortSignal;
}

export async function estimateSource(source: Source, options: EstimateOptions): Promise<Estimate> {
  if (!source.page) return walk(source, options.signal);
  const { result, calls } = await look(source, exploreSteps(options.calls), options.signal);
  return estimateOf(result, calls);
}

/** What nobody looked at may be empty, or as full as anything like it. */
export function estimateOf(explorer: Explorer, calls: number): Estimate {
  const { parts } = explorer;
  const seen = parts.filter((part) => part.known !== null);
  const known = sum(seen.map((part) => part.count));
  const bytes = sum(seen.map((part) => part.known!.bytes));
  const each = known === 0 ? 0 : bytes / known;
  const objects = {
    low: known,
    likely: sum(parts.map((part) => part.count)),
    high: sum(parts.map((part) => (part.known === null ? Math.max(part.count, part.most) : part.count))),
  };
  const exact = seen.length === parts.length;
  return {
    objects,
    bytes: { low: bytes, likely: objects.likely * each, high: objects.high * each },
    exact,
    calls,
  };
}

/** Listing a folder costs little and reads nothing: all of it. */
async function walk(source: Source, signal: AbortSignal): Promise<Estimate> {
  let objects = 0;
  let bytes = 0;
  for await (const batch of source.list(EVERYTHING, signal)) {
    objects += batch.length;
    for (const item of batch) if (!isObjectError(item)) bytes += item.size;
  }
  const exactly = (seen: number) => ({ low: seen, likely: seen, high: seen });
  return { objects: exactly(objects), bytes: exactly(bytes), exact: true, calls: 0 };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
