import { setImmediate } from 'node:timers/promises';

/** Blocking work may go on for so many milliseconds before timers, sockets and heartbeats have their turn. */
const MAX_TURN_MS = 10;

export interface YieldTimer {
  isDue(): boolean;
  /** Lets others work; throws if it was decided meanwhile to stop. */
  yieldNow(): Promise<void>;
}

export function createYieldTimer(signal: AbortSignal): YieldTimer {
  signal.throwIfAborted();
  let since = performance.now();
  return {
    isDue: () => performance.now() - since > MAX_TURN_MS,
    async yieldNow() {
      await setImmediate();
      signal.throwIfAborted();
      since = performance.now();
    },
  };
}

/** Runs blocking work that says `null` wherever it can be interrupted. */
export async function runCooperatively<T>(work: Generator<null, T>, signal: AbortSignal): Promise<T> {
  const pace = createYieldTimer(signal);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (pace.isDue()) await pace.yieldNow();
  }
}
