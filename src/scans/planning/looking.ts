/** Does the looking that planning asks for: listing requests, several at a time. */
import type { Range } from '../../base/range.ts';
import type { Source } from '../../sources/source.ts';
import { type Known, knownOf } from './known.ts';
import type { Looking } from './splitting.ts';

const PAGE = 1000;
const AT_ONCE = 16;

export interface Looked<T> {
  readonly result: T;
  readonly calls: number;
  /** Everything that was seen on the way. */
  readonly knowns: readonly Known[];
}

/** The source must be able to look around (`page`). */
export async function look<T>(source: Source, steps: Looking<T>, signal: AbortSignal): Promise<Looked<T>> {
  const knowns: Known[] = [];
  let step = steps.next();
  while (!step.done) {
    const seen = await lookAtAll(source, step.value, signal);
    knowns.push(...seen);
    step = steps.next(seen);
  }
  return { result: step.value, calls: knowns.length, knowns };
}

async function lookAtAll(source: Source, ranges: readonly Range[], signal: AbortSignal): Promise<Known[]> {
  const seen: Known[] = [];
  for (let at = 0; at < ranges.length; at += AT_ONCE) {
    const some = ranges.slice(at, at + AT_ONCE);
    const pages = await Promise.all(some.map((range) => source.page!(range, PAGE, signal)));
    seen.push(...pages.map((page, i) => knownOf(some[i]!, page)));
  }
  return seen;
}
