/** A simulated bucket whose keys are computed: consecutive groups, each with a prefix and a naming rule. */
import type { Key } from '../../base/key.ts';

export interface Group {
  readonly prefix: Key;
  readonly count: number;
  /** The i-th name in byte order. */
  readonly name: (index: number) => string;
}

export interface Bucket {
  readonly count: number;
  /** The i-th key in byte order. */
  keyAt(index: number): Key;
  /** The number of keys that are not after the bound. */
  countUpTo(bound: Key): number;
}

/** No prefix may be a prefix of another one. */
export function bucketOf(groups: readonly Group[]): Bucket {
  const sorted = groups.filter((group) => group.count > 0).sort((a, b) => (a.prefix < b.prefix ? -1 : 1));
  const before = new Float64Array(sorted.length + 1);
  for (const [i, group] of sorted.entries()) before[i + 1] = before[i]! + group.count;
  const count = before[sorted.length]!;

  function keyAt(index: number): Key {
    const at = firstWhere(sorted.length, (i) => before[i + 1]! > index);
    const group = sorted[at]!;
    return (group.prefix + group.name(index - before[at]!)) as Key;
  }

  function countUpTo(bound: Key): number {
    const at = firstWhere(sorted.length, (i) => sorted[i]!.prefix > bound) - 1;
    if (at < 0) return 0;
    const { prefix, name, count: size } = sorted[at]!;
    return before[at]! + firstWhere(size, (i) => prefix + name(i) > bound);
  }

  return { count, keyAt, countUpTo };
}

/** Binary search: the first of `count` numbers for which it holds, or `count`. Must be monotonic. */
function firstWhere(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  for (let high = count; low < high; ) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
