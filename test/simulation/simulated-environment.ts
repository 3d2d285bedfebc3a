/** What a process of a simulation finds around it: pauses that take no time, a clock that is wrong, luck that repeats itself. */
import { timers } from '../../src/base/retry.ts';

const DAY_MS = 86_400_000;

export async function withSimulatedEnvironment<T>(work: () => Promise<T>): Promise<T> {
  const { sleep } = timers;
  const { now } = Date;
  const { random } = Math;
  let reads = 0;
  timers.sleep = async () => {};
  Date.now = () => now() + ((reads++ % 5) - 2) * DAY_MS; // wrong clocks are harmless
  Math.random = () => 0.5;
  try {
    return await work();
  } finally {
    timers.sleep = sleep;
    Date.now = now;
    Math.random = random;
  }
}
