/** How much a source holds, from a bounded number of listing requests; of a folder, from a bounded walk. */
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

const OBJECTS_A_CALL = 1000;

export async function estimateSource(source: Source, options: EstimateOptions): Promise<Estimate> {
  if (!source.page) return walk(source, options);
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

/** A folder is listed from its beginning; what lies beyond the walk is not known at all. */
async function walk(source: Source, { calls, signal }: EstimateOptions): Promise<Estimate> {
  let objects = 0;
  let bytes = 0;
  let exact = true;
  for await (const batch of source.list(EVERYTHING, signal)) {
    objects += batch.length;
    for (const item of batch) if (!isObjectError(item)) bytes += item.size;
    if (objects < calls * OBJECTS_A_CALL) continue;
    exact = false;
    break;
  }
  const spread = (seen: number) => ({
    low: seen,
    likely: seen,
    high: exact ? seen : Number.POSITIVE_INFINITY,
  });
  return { objects: spread(objects), bytes: spread(bytes), exact, calls: 0 };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
