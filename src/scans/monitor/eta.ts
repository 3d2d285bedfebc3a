/** The remaining time as a range, because both the total and the speed are estimates. */
import type { Amount, Estimate, Rate, Spread, TimeLeft } from './snapshot.ts';

/** At the highest and the lowest of these speeds. Returns null if too little is known. */
export function timeLeft(
  done: Amount,
  estimate: Estimate | null,
  rates: readonly Pick<Rate, 'objectsPerSecond' | 'bytesPerSecond'>[],
): TimeLeft | null {
  if (estimate === null) return null;
  // Bytes predict the time better than objects, where they are known and not all objects are empty.
  return estimate.bytes !== null && estimate.bytes.likely > 0
    ? between(
        done.bytes,
        estimate.bytes,
        rates.map((rate) => rate.bytesPerSecond),
      )
    : between(
        done.objects,
        estimate.objects,
        rates.map((rate) => rate.objectsPerSecond),
      );
}

function between(done: number, whole: Spread, speeds: readonly number[]): TimeLeft | null {
  const fastest = Math.max(...speeds);
  const slowest = Math.min(...speeds);
  // More is done than the estimated total: the estimate was wrong and useless.
  if (!(fastest > 0) || done > whole.high) return null;
  return {
    shortest: Math.max(0, whole.low - done) / fastest,
    longest: slowest > 0 ? (whole.high - done) / slowest : null,
  };
}
