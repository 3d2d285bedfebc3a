/**
 * The next shard for whichever hand of this process is free. One hand at a time asks the database, steals or waits; the others
 * wait for their turn, so that an idle process costs one statement now and then, whatever the number of its hands.
 */
import type { Bell } from '../base/bell.ts';
import { retrying } from '../base/retry.ts';
import type { Held } from '../engine/leases/lease.ts';
import { DATABASE_PATIENCE_MS } from './shard-progress.ts';

export interface ClaimerTools {
  readonly claim: () => Promise<Held | null>;
  /** Nothing will come any more. */
  readonly isOver: () => Promise<boolean>;
  /** Makes something claimable; false when there is nothing worth it now. */
  readonly steal: (signal: AbortSignal) => Promise<boolean>;
  /** What this process has in hand keeps its threads busy: another shard is better off elsewhere. */
  readonly isBusy: () => boolean;
  /** Rings when something may have changed. */
  readonly news: Bell;
  /** The longest pause between two looks. */
  readonly longestPauseMs: number;
}

const FIRST_PAUSE_MS = 10;
const BUSY_PAUSE_MS = 50;

export class Claimer {
  readonly #tools: ClaimerTools;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(tools: ClaimerTools) {
    this.#tools = tools;
  }

  /** Null: it is over, or the signal says so. */
  next(signal: AbortSignal): Promise<Held | null> {
    const mine = this.#turn
      .then(() => this.#look(signal))
      .catch((error) => {
        if (signal.aborted) return null; // whoever is to end need not know that the database is away
        throw error;
      });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  async #look(signal: AbortSignal): Promise<Held | null> {
    const { claim, isOver, isBusy, steal, news } = this.#tools;
    for (let idle = 0; !signal.aborted; idle++) {
      if (isBusy()) {
        await news.wait(BUSY_PAUSE_MS, signal);
        continue;
      }
      const held = await patiently(claim, signal);
      if (held) return held;
      if (await patiently(isOver, signal)) return null;
      if (await steal(signal)) idle = -1;
      else await news.wait(this.#pause(idle), signal);
    }
    return null;
  }

  /** Longer each time, and never the same for two processes. */
  #pause(idle: number): number {
    const most = Math.min(this.#tools.longestPauseMs, FIRST_PAUSE_MS * 2 ** Math.min(idle, 16));
    return most * (0.5 + Math.random() / 2);
  }
}

/** A failover of the database is waited for. */
export function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return retrying(work, { forMs: DATABASE_PATIENCE_MS, signal });
}
