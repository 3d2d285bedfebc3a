/** Watches for a stalled log, for a process that runs on: what it has to say about it, and when. */
import type { Queryable } from '../../db/database.ts';
import { readHorizon } from '../../events/read-store.ts';
import { findStall, STALLED_AFTER_MS, stallAdvice, stallText } from './stall.ts';
import type { OldestTransaction } from './stall-store.ts';

/** Between two messages about the same transaction; the last one again and again. */
const AGAIN_AFTER_MS = [60_000, 300_000, 900_000, 3_600_000];

export interface StallWatchOptions {
  /** Null: of all workflows that have readers. */
  readonly workflows: readonly string[] | null;
  readonly afterMs?: number;
  /** Milliseconds that only grow. */
  readonly now?: () => number;
}

export class StallWatch {
  readonly #db: Queryable;
  readonly #options: Required<StallWatchOptions>;
  #horizon: { readonly xid: bigint; readonly since: number } | null = null;
  #told: { readonly transaction: OldestTransaction; readonly at: number; readonly times: number } | null =
    null;

  constructor(db: Queryable, options: StallWatchOptions) {
    this.#db = db;
    this.#options = { afterMs: STALLED_AFTER_MS, now: () => performance.now(), ...options };
  }

  /** A message, if there is something new to say. One cheap statement as long as the log gets on. */
  async look(): Promise<string | null> {
    const { afterMs, workflows, now } = this.#options;
    const { xid } = await readHorizon(this.#db);
    if (this.#horizon?.xid !== xid) {
      this.#horizon = { xid, since: now() };
      return this.#resolved();
    }
    if (now() - this.#horizon.since < afterMs) return null;
    const stall = await findStall(this.#db, workflows, afterMs);
    if (stall === null) return null;
    const { transaction } = stall;
    const told = this.#told?.transaction.xid === transaction.xid ? this.#told : null;
    const pause = told && AGAIN_AFTER_MS[Math.min(told.times, AGAIN_AFTER_MS.length) - 1]!;
    if (told && pause && now() - told.at < pause) return null;
    this.#told = { transaction, at: now(), times: (told?.times ?? 0) + 1 };
    return `${stallText(stall)} ${stallAdvice(stall)}`;
  }

  #resolved(): string | null {
    if (this.#told === null) return null;
    const { transaction } = this.#told;
    this.#told = null;
    const which = transaction.gid === null ? `of pid ${transaction.pid}` : `'${transaction.gid}'`;
    return `The transaction ${which} has ended: events can be read again.`;
  }
}
