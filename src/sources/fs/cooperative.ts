import { setImmediate } from 'node:timers/promises';

/** How long blocking work may run before it yields to timers, sockets and heartbeats. */
const MAX_TURN_MS = 10;

export interface YieldTimer {
  isDue(): boolean;
  /** Yields to the event loop; throws if the signal was aborted meanwhile. */
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

/** Runs blocking work that yields `null` wherever it may be interrupted. */
export async function runCooperatively<T>(work: Generator<null, T>, signal: AbortSignal): Promise<T> {
  const pace = createYieldTimer(signal);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (pace.isDue()) await pace.yieldNow();
  }
}
