/**
 * The next shard for whichever hand of this process is free. One hand at a time asks the database, steals or waits; the others
 * wait for their turn, so that an idle process costs one statement now and then, whatever the number of its hands.
 */

import { withRetry } from '../../base/retry.ts';
import type { WakeSignal } from '../../base/wake-signal.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { DATABASE_RETRY_TIMEOUT_MS } from './shard-progress.ts';

export interface ShardClaimerDeps {
  readonly claim: () => Promise<HeldLease | null>;
  /** Nothing will come any more. */
  readonly isOver: () => Promise<boolean>;
  /** Makes something claimable; false when there is nothing worth it now. */
  readonly steal: (signal: AbortSignal) => Promise<boolean>;
  /** What this process has in hand keeps its threads busy: another shard is better off elsewhere. */
  readonly isBusy: () => boolean;
  /** Rings when something may have changed. */
  readonly news: WakeSignal;
  /** The longest pause between two looks. */
  readonly maxPauseMs: number;
}

const FIRST_PAUSE_MS = 10;
const BUSY_PAUSE_MS = 50;

export class ShardClaimer {
  readonly #deps: ShardClaimerDeps;
  #lastRequest: Promise<unknown> = Promise.resolve();

  constructor(tools: ShardClaimerDeps) {
    this.#deps = tools;
  }

  /** Null: it is over, or the signal says so. */
  next(signal: AbortSignal): Promise<HeldLease | null> {
    const mine = this.#lastRequest
      .then(() => this.#claimOrSteal(signal))
      .catch((error) => {
        if (signal.aborted) return null; // whoever is to end need not know that the database is away
        throw error;
      });
    this.#lastRequest = mine.catch(() => {});
    return mine;
  }

  async #claimOrSteal(signal: AbortSignal): Promise<HeldLease | null> {
    const { claim, isOver, isBusy, steal, news } = this.#deps;
    for (let idle = 0; !signal.aborted; idle++) {
      if (isBusy()) {
        await news.wait(BUSY_PAUSE_MS, signal);
        continue;
      }
      const held = await retryThroughOutage(claim, signal);
      if (held) return held;
      if (await retryThroughOutage(isOver, signal)) return null;
      if (await steal(signal)) idle = -1;
      else await news.wait(this.#pause(idle), signal);
    }
    return null;
  }

  /** Longer each time, and never the same for two processes. */
  #pause(idle: number): number {
    const max = Math.min(this.#deps.maxPauseMs, FIRST_PAUSE_MS * 2 ** Math.min(idle, 16));
    return max * (0.5 + Math.random() / 2);
  }
}

/** A failover of the database is waited for. */
export function retryThroughOutage<T>(fn: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return withRetry(fn, { forMs: DATABASE_RETRY_TIMEOUT_MS, signal });
}
