/** The event queue of virtual time: in order of time, and for equal times in order of insertion. */
import { SeineError } from '../../base/errors.ts';

interface ScheduledEvent {
  readonly due: number;
  readonly run: () => void | Promise<void>;
}

/** More events at one time than any test needs: an endless loop. */
const MAX_STEPS = 100_000;

export class EventQueue {
  now: number;
  readonly #entries: ScheduledEvent[] = [];

  constructor(now: Date) {
    this.now = now.getTime();
  }

  /** After `waitMs` of virtual time. */
  add(waitMs: number, run: ScheduledEvent['run']): void {
    const due = this.now + waitMs;
    const later = this.#entries.findIndex((entry) => entry.due > due);
    this.#entries.splice(later < 0 ? this.#entries.length : later, 0, { due, run });
  }

  /** Runs everything due until then, including what it schedules. */
  async advanceTo(time: number): Promise<void> {
    for (let steps = 0; (this.#entries[0]?.due ?? Number.POSITIVE_INFINITY) <= time; steps++) {
      if (steps === MAX_STEPS) throw endlessLoopError();
      const { due, run } = this.#entries.shift()!;
      this.now = Math.max(this.now, due);
      await run();
    }
    this.now = time;
  }
}

function endlessLoopError(): SeineError {
  return new SeineError('limit', `The trial did not become idle after ${MAX_STEPS} steps.`, {
    hint: 'Check for workflows that send each other commands endlessly, or advance by less.',
  });
}
