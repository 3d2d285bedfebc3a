/** The skeleton of every background loop: a name, one step at a time, woken early or after a pause, stopped in order. */
import { WakeSignal } from './wake-signal.ts';

export interface PollingLoop {
  readonly name: string;
  /** Takes the next step now instead of after the pause. */
  wake(): void;
  /** Resolves when the step in hand has ended; no further one begins. */
  stop(): Promise<void>;
}

/** `step` answers the milliseconds to pause before the next one. It handles its own errors: one that escapes ends the loop. */
export function startPollingLoop(name: string, step: () => Promise<number>): PollingLoop {
  const stopping = new AbortController();
  const bell = new WakeSignal();
  let woken = false;
  const run = async () => {
    while (!stopping.signal.aborted) {
      woken = false;
      const pauseMs = await step();
      if (!woken) await bell.wait(pauseMs, stopping.signal);
    }
  };
  const ended = run();
  ended.catch(() => {}); // whoever stops the loop sees it
  return {
    name,
    wake: () => {
      woken = true; // also when the step is still under way: then the next follows at once
      bell.notifyAll();
    },
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
