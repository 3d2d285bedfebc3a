/**
 * Claims the next shard for any free slot of this process. One caller at a time queries the database,
 * steals or waits; the others wait for their turn, so that the load of an idle process does not depend on
 * its concurrency.
 */

import type { WakeSignal } from '../../base/wake-signal.ts';
import type { HeldLease } from '../../engine/leases/lease.ts';
import { retryThroughOutage } from './database-outage.ts';

export interface ShardClaimerOptions {
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
  readonly #options: ShardClaimerOptions;
  #lastRequest: Promise<unknown> = Promise.resolve();

  constructor(options: ShardClaimerOptions) {
    this.#options = options;
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
    const { claim, isOver, isBusy, steal, wakeSignal } = this.#options;
    for (let idle = 0; !signal.aborted; idle++) {
      if (isBusy()) {
        await wakeSignal.wait(BUSY_PAUSE_MS, signal);
        continue;
      }
      const held = await retryThroughOutage(claim, signal);
      if (held) return held;
      if (await retryThroughOutage(isOver, signal)) return null;
      if (await steal(signal)) idle = -1;
      else await wakeSignal.wait(this.#pause(idle), signal);
    }
    return null;
  }

  /** Exponential, with jitter so that processes don't synchronise. */
  #pause(idle: number): number {
    const max = Math.min(this.#options.maxPauseMs, FIRST_PAUSE_MS * 2 ** Math.min(idle, 16));
    return max * (0.5 + Math.random() / 2);
  }
}

const MAX_START_MS = 1000;

/**
 * Shards that were claimed and have not reached their first object: they may be enough work for the
 * process, so it claims no others. Bounded in time: a listing that hangs must not block other scans.
 */
export class StartingShards {
  readonly #since = new Map<number, number>();

  get any(): boolean {
    const now = performance.now();
    return [...this.#since.values()].some((since) => now - since < MAX_START_MS);
  }

  begin(lease: number): void {
    this.#since.set(lease, performance.now());
  }

  end(lease: number): boolean {
    return this.#since.delete(lease);
  }
}
