import { setImmediate } from 'node:timers/promises';

/** Blocking work may go on for so many milliseconds before timers, sockets and heartbeats have their turn. */
const LONGEST_TURN = 10;

export interface Pace {
  isDue(): boolean;
  /** Lets others work; throws if it was decided meanwhile to stop. */
  breathe(): Promise<void>;
}

export function createPace(signal: AbortSignal): Pace {
  signal.throwIfAborted();
  let since = performance.now();
  return {
    isDue: () => performance.now() - since > LONGEST_TURN,
    async breathe() {
      await setImmediate();
      signal.throwIfAborted();
      since = performance.now();
    },
  };
}

/** Runs blocking work that says `null` wherever it can be interrupted. */
export async function runInTurns<T>(work: Generator<null, T>, signal: AbortSignal): Promise<T> {
  const pace = createPace(signal);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (pace.isDue()) await pace.breathe();
  }
}
