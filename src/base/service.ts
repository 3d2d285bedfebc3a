/** The skeleton of every background loop: a name, one step at a time, woken early or after a pause, stopped in order. */
import { Bell } from './bell.ts';

export interface Loop {
  readonly name: string;
  /** Takes the next step now instead of after the pause. */
  wake(): void;
  /** Resolves when the step in hand has ended; no further one begins. */
  stop(): Promise<void>;
}

/** `step` answers the milliseconds to pause before the next one. It handles its own errors: one that escapes ends the loop. */
export function startLoop(name: string, step: () => Promise<number>): Loop {
  const stopping = new AbortController();
  const bell = new Bell();
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
      bell.ring();
    },
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}
