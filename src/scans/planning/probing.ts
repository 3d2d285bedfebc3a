/** Executes the probes of a plan: listing requests, several at a time. */
import type { Range } from '../../base/range.ts';
import type { Source } from '../../sources/source.ts';
import { type CountedRange, countedPage } from './counted-range.ts';

/** Yields probes, round by round, and returns a result. */
export type ProbePlan<T> = Generator<readonly Range[], T, readonly CountedRange[]>;

const PAGE = 1000;
const MAX_CONCURRENT_PROBES = 32;

export interface ProbeResult<T> {
  readonly result: T;
  readonly calls: number;
}

/** The source must support `page`. */
export async function runProbes<T>(
  source: Source,
  steps: ProbePlan<T>,
  signal: AbortSignal,
): Promise<ProbeResult<T>> {
  let calls = 0;
  let step = steps.next();
  while (!step.done) {
    calls += step.value.length;
    step = steps.next(await probeAll(source, step.value, signal));
  }
  return { result: step.value, calls };
}

async function probeAll(
  source: Source,
  ranges: readonly Range[],
  signal: AbortSignal,
): Promise<CountedRange[]> {
  const seen: CountedRange[] = [];
  for (let at = 0; at < ranges.length; at += MAX_CONCURRENT_PROBES) {
    const some = ranges.slice(at, at + MAX_CONCURRENT_PROBES);
    const pages = await Promise.all(some.map((range) => source.page!(range, PAGE, signal)));
    seen.push(...pages.map((page, i) => countedPage(some[i]!, page)));
  }
  return seen;
}
