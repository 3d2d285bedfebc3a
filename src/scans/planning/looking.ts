/** Does the looking that planning asks for: listing requests, several at a time. */
import type { Range } from '../../base/range.ts';
import type { Source } from '../../sources/source.ts';
import { type Known, knownOf } from './known.ts';

/** Asks for looks, round by round, and ends with an answer. */
export type Looking<T> = Generator<readonly Range[], T, readonly Known[]>;

const PAGE = 1000;
const AT_ONCE = 32;

export interface Looked<T> {
  readonly result: T;
  readonly calls: number;
}

/** The source must be able to look around (`page`). */
export async function look<T>(source: Source, steps: Looking<T>, signal: AbortSignal): Promise<Looked<T>> {
  let calls = 0;
  let step = steps.next();
  while (!step.done) {
    calls += step.value.length;
    step = steps.next(await lookAtAll(source, step.value, signal));
  }
  return { result: step.value, calls };
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
