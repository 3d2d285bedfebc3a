/** The period in which nothing else runs beside a suspect in its process (crash-suspects.ts). One at a time. */
import { withRetry } from '../../base/retry.ts';
import type { Database } from '../../db/database.ts';
import type { CodeLock } from '../user-code/code-lock.ts';
import { type ClaimedAction, markRunningAlone } from './claim-store.ts';
import { exclusiveMs } from './crash-suspects.ts';

export interface ExclusiveRunOptions {
  readonly leaseMs: number;
  /** Initial limit on how long it may block other user code. */
  readonly firstMs: number;
}

export class ExclusiveRun {
  readonly #db: Database;
  readonly #lock: CodeLock;
  readonly #options: ExclusiveRunOptions;
  #held: { readonly claimed: ClaimedAction; readonly untilMs: number; readonly release: () => void } | null =
    null;

  constructor(db: Database, lock: CodeLock, options: ExclusiveRunOptions) {
    this.#db = db;
    this.#lock = lock;
    this.#options = options;
  }

  /** From now on a crash is attributed to the suspect. False if the lease is lost, or `isWanted` is false once nothing else runs. */
  async begin(claimed: ClaimedAction, isWanted: () => boolean): Promise<boolean> {
    const { leaseMs, firstMs } = this.#options;
    const release = (await this.#lock.acquire('exclusive'))!;
    if (!isWanted()) {
      release();
      return false;
    }
    this.#held = { claimed, untilMs: performance.now() + exclusiveMs(claimed, firstMs), release };
    return withRetry(() => markRunningAlone(this.#db, claimed), { forMs: leaseMs });
  }

  /** Returns a slow suspect beside which other user code may run again. From then on a crash can't be attributed to it. */
  async endIfLong(): Promise<ClaimedAction | null> {
    const held = this.#held;
    if (!held || !this.#lock.isContended || performance.now() < held.untilMs) return null;
    await markRunningAlone(this.#db, held.claimed, false);
    if (this.#held !== held) return null; // it has ended
    this.end();
    return held.claimed;
  }

  end(): void {
    this.#held?.release();
    this.#held = null;
  }
}
