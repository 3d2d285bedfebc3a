/** A background loop: runs one step at a time, sleeps or is woken early, stops in order. */
import { WakeSignal } from './wake-signal.ts';

export interface PollingLoop {
  readonly name: string;
  /** Runs the next step now instead of after the pause. */
  wake(): void;
  /** Resolves when the current step has ended; no further one starts. */
  stop(): Promise<void>;
}

/**
 * `step` returns the milliseconds to pause before the next one. It must handle its own errors: an unhandled
 * one ends the loop.
 */
export function startPollingLoop(name: string, step: () => Promise<number>): PollingLoop {
  const stopping = new AbortController();
  const wakeSignal = new WakeSignal();
  let woken = false;
  const run = async () => {
    while (!stopping.signal.aborted) {
      woken = false;
      const pauseMs = await step();
      if (!woken) await wakeSignal.wait(pauseMs, stopping.signal);
    }
  };
  const ended = run();
  ended.catch(() => {}); // rethrown by stop
  return {
    name,
    wake: () => {
      woken = true; // also during a step: then the next follows at once
      wakeSignal.notifyAll();
    },
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
