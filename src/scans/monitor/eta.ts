/** The time left as a range: how much there is, is known roughly at best, and so is the speed. */
import type { Amount, Estimate, Rate, Spread, TimeLeft } from './snapshot.ts';

/** At the fastest and at the slowest of these speeds. Null: too little is known. */
export function timeLeft(
  done: Amount,
  estimate: Estimate | null,
  rates: readonly Pick<Rate, 'objectsPerSecond' | 'bytesPerSecond'>[],
): TimeLeft | null {
  if (estimate === null) return null;
  // Bytes tell better how long it takes, where they are known and not all objects are empty.
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
  // More is done than there should be at all: the estimate was wrong, and nothing can be told from it.
  if (!(fastest > 0) || done > whole.high) return null;
  return {
    shortest: Math.max(0, whole.low - done) / fastest,
    longest: slowest > 0 ? (whole.high - done) / slowest : null,
  };
}
