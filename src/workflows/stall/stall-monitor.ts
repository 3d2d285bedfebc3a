/** Watches for a stalled log in a long-running process, and decides what to report and when. */
import type { Queryable } from '../../db/database.ts';
import { readLastStableOffset } from '../../events/read-store.ts';
import { findStall, formatStall, STALLED_AFTER_MS, stallAdvice } from './stall.ts';
import type { OldestTransaction } from './stall-store.ts';

/** Delays between messages about the same transaction; the last one repeats. */
const AGAIN_AFTER_MS = [60_000, 300_000, 900_000, 3_600_000];

export interface StallMonitorOptions {
  /** Null: all workflows that have readers. */
  readonly workflows: readonly string[] | null;
  readonly afterMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export class StallMonitor {
  readonly #db: Queryable;
  readonly #options: Required<StallMonitorOptions>;
  #stableOffset: { readonly xid: bigint; readonly since: number } | null = null;
  #reported: { readonly transaction: OldestTransaction; readonly at: number; readonly times: number } | null =
    null;

  constructor(db: Queryable, options: StallMonitorOptions) {
    this.#db = db;
    this.#options = { afterMs: STALLED_AFTER_MS, now: () => performance.now(), ...options };
  }

  /** Returns a message if there is something new to report. One cheap statement while the log is not stalled. */
  async check(): Promise<string | null> {
    const { afterMs, workflows, now } = this.#options;
    const { xid } = await readLastStableOffset(this.#db);
    if (this.#stableOffset?.xid !== xid) {
      this.#stableOffset = { xid, since: now() };
      return this.#resolved();
    }
    if (now() - this.#stableOffset.since < afterMs) return null;
    const stall = await findStall(this.#db, workflows, afterMs);
    if (stall === null) return null;
    const { transaction } = stall;
    const reported = this.#reported?.transaction.xid === transaction.xid ? this.#reported : null;
    const pause = reported && AGAIN_AFTER_MS[Math.min(reported.times, AGAIN_AFTER_MS.length) - 1]!;
    if (reported && pause && now() - reported.at < pause) return null;
    this.#reported = { transaction, at: now(), times: (reported?.times ?? 0) + 1 };
    return `${formatStall(stall)} ${stallAdvice(stall)}`;
  }

  #resolved(): string | null {
    if (this.#reported === null) return null;
    const { transaction } = this.#reported;
    this.#reported = null;
    const which = transaction.gid === null ? `of pid ${transaction.pid}` : `'${transaction.gid}'`;
    return `The transaction ${which} has ended: events can be read again.`;
  }
}
