/** Probes of a computed bucket. */
import type { Range } from '../../src/base/range.ts';
import { type CountedRange, sampleRanks } from '../../src/scans/planning/counted-range.ts';
import type { ProbePlan } from '../../src/scans/planning/probing.ts';
import type { Bucket } from '../../src/sources/sim/bucket.ts';
import { PAGE } from './lease.ts';

export interface ProbedPlan<T> {
  readonly result: T;
  readonly rounds: number;
  readonly calls: number;
}

/** Bytes of the objects from the one number to the other, which is not among them. */
export type BytesBetween = (from: number, to: number) => number;

/** Answers all probes and counts them. Bytes are optional. */
export function probeAll<T>(
  bucket: Bucket,
  steps: ProbePlan<T>,
  bytesBetween: BytesBetween = () => 0,
): ProbedPlan<T> {
  let [rounds, calls] = [0, 0];
  let step = steps.next();
  while (!step.done) {
    rounds++;
    calls += step.value.length;
    step = steps.next(step.value.map((range) => probeRange(bucket, range, bytesBetween)));
  }
  return { result: step.value, rounds, calls };
}

/** One listing request, of which only the samples are made. */
function probeRange(bucket: Bucket, { after, upTo }: Range, bytesBetween: BytesBetween): CountedRange {
  const from = bucket.countUpTo(after);
  const to = upTo === null ? bucket.count : bucket.countUpTo(upTo);
  const count = Math.max(0, Math.min(PAGE, to - from));
  const places = sampleRanks(count);
  const keys = places.map((place) => bucket.keyAt(from + place));
  const bytes = bytesBetween(from, from + count);
  return { after, upTo: to - from > PAGE ? keys.at(-1)! : upTo, count, bytes, keys, places };
}
