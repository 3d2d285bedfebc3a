/**
 * Claims the next shard for any free slot of this process. One caller at a time queries the database,
 * steals or waits; the others wait for their turn, so that the load of an idle process does not depend on
 * its concurrency.
 */

import { withRetry } from '../../base/retry.ts';
import type { WakeSignal } from '../../base/wake-signal.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { DATABASE_RETRY_TIMEOUT_MS } from './shard-progress.ts';

export interface ShardClaimerDeps {
  readonly claim: () => Promise<HeldLease | null>;
  /** Returns whether no more shards will become available. */
  readonly isOver: () => Promise<boolean>;
  /** Makes a shard claimable; returns false when nothing is worth splitting now. */
  readonly steal: (signal: AbortSignal) => Promise<boolean>;
  /** The shards held by this process keep its threads busy: other processes should claim the next one. */
  readonly isBusy: () => boolean;
  /** Notified when there may be something to claim. */
  readonly wakeSignal: WakeSignal;
  /** Maximum pause between two claims. */
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

  /** Returns null once the work is over or `signal` is aborted. */
  next(signal: AbortSignal): Promise<HeldLease | null> {
    const mine = this.#lastRequest
      .then(() => this.#claimOrSteal(signal))
      .catch((error) => {
        if (signal.aborted) return null; // after an abort an outage of the database is irrelevant
        throw error;
      });
    this.#lastRequest = mine.catch(() => {});
    return mine;
  }

  async #claimOrSteal(signal: AbortSignal): Promise<HeldLease | null> {
    const { claim, isOver, isBusy, steal, wakeSignal: news } = this.#deps;
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

  /** Exponential, with jitter so that processes don't synchronise. */
  #pause(idle: number): number {
    const max = Math.min(this.#deps.maxPauseMs, FIRST_PAUSE_MS * 2 ** Math.min(idle, 16));
    return max * (0.5 + Math.random() / 2);
  }
}

/** Retries during a failover of the database. */
export function retryThroughOutage<T>(fn: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return withRetry(fn, { forMs: DATABASE_RETRY_TIMEOUT_MS, signal });
}
