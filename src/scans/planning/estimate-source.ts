/** How much a source holds, from a bounded number of listing requests; a folder is listed whole. */
import { EVERYTHING } from '../../base/range.ts';
import { isObjectError, type Source } from '../../sources/source.ts';
import type { Estimate } from './estimate.ts';
import type { Explorer } from './explorer.ts';
import { look } from './looking.ts';
import type { Part } from './part.ts';
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

/** Where nobody looked there may be more than anything beside it suggests: one heavy folder among many light ones. */
const UNSURE = 3;

/** What nobody looked at may be empty, or as full as anything like it and fuller. */
export function estimateOf(explorer: Explorer, calls: number): Estimate {
  const { parts } = explorer;
  const seen = parts.filter((part) => part.known !== null);
  const known = sum(seen.map((part) => part.count));
  const bytes = sum(seen.map((part) => part.known!.bytes));
  const each = known === 0 ? 0 : bytes / known;
  const objects = {
    low: known,
    likely: likelyOf(parts),
    high: sum(parts.map(({ known: seen, count, most }) => (seen ? count : UNSURE * Math.max(count, most)))),
  };
  const exact = seen.length === parts.length;
  return {
    objects,
    bytes: { low: bytes, likely: objects.likely * each, high: objects.high * each },
    exact,
    calls,
  };
}

/** That one stretch which nobody saw holds more than all others together is possible, but not likely. */
function likelyOf(parts: readonly Part[]): number {
  const total = sum(parts.map((part) => part.count));
  const largest = Math.max(0, ...parts.map(({ known, count }) => (known ? 0 : count)));
  return total - largest + Math.min(largest, total - largest);
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
