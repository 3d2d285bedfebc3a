/** What a process of a simulation finds around it: pauses that take no time, a clock that is wrong, luck that repeats itself. */
import { pauses } from '../../src/base/retry.ts';

const DAY_MS = 86_400_000;

export async function inSurroundings<T>(work: () => Promise<T>): Promise<T> {
  const { spend } = pauses;
  const { now } = Date;
  const { random } = Math;
  let looks = 0;
  pauses.spend = async () => {};
  Date.now = () => now() + ((looks++ % 5) - 2) * DAY_MS; // wrong clocks are harmless
  Math.random = () => 0.5;
  try {
    return await work();
  } finally {
    pauses.spend = spend;
    Date.now = now;
    Math.random = random;
  }
}
