/**
 * Scans the limit keys that have pending actions, and claims what their limits have room for. A pass covers all of them, however many are saturated; a
 * claim scans as much as its time limit allows, and the next one continues there.
 */
import type { Database } from '../../../db/database.ts';
import type { ActionClaimRequest, ClaimedAction } from '../claim-store.ts';
import { claimLimitedActions, type LimitedAction, lockLimits } from './limited-store.ts';

/** Limit keys scanned by one statement, of all actions together. */
const KEYS_AT_ONCE = 200;
/** Time limit of one claim. */
const SCAN_MS = 100;
/** Typically long enough for another claim to release the lock of a limit. */
const CONTENDED_MS = 10;

export class LimitScan {
  readonly #db: Database;
  readonly #names: readonly LimitedAction[];
  readonly #wanted: ActionClaimRequest;
  /** Per action, the last key scanned in this pass; null: scanned to the end. */
  #after: (string | null)[];
  /** The earliest time at which a limit of this pass has room again: a token of a rate, or a lock of another claim. */
  #roomAt = Number.POSITIVE_INFINITY;
  /** When another scan may find something new: the end of a pass, a token, a lock. Infinity: only after an event. */
  nextAt = Number.POSITIVE_INFINITY;

  constructor(db: Database, names: readonly LimitedAction[], wanted: ActionClaimRequest) {
    this.#db = db;
    this.#names = names;
    this.#wanted = wanted;
    this.#after = names.map(() => '');
  }

  get #hasRates(): boolean {
    return this.#names.some(({ perSecond }) => perSecond !== null);
  }

  get isEmpty(): boolean {
    return this.#names.length === 0;
  }

  /** Stops at `max`, at the time limit, or at the end of the pass. */
  async claim(max: number): Promise<ClaimedAction[]> {
    const claimed: ClaimedAction[] = [];
    if (max <= 0 || this.isEmpty) return claimed;
    this.nextAt = Number.POSITIVE_INFINITY;
    const until = performance.now() + SCAN_MS;
    let passed = false;
    while (!passed && claimed.length < max && performance.now() < until) {
      claimed.push(...(await this.#scanPage(max - claimed.length)));
      passed = this.#after.every((key) => key === null);
    }
    const now = performance.now();
    if (!passed) this.nextAt = claimed.length < max ? now + SCAN_MS : now;
    // The claim has used tokens: the next scan computes when there are more.
    else this.nextAt = this.#hasRates && claimed.length > 0 ? now : this.#roomAt;
    if (passed) this.#startPass();
    return claimed;
  }

  #startPass(): void {
    this.#after = this.#names.map(() => '');
    this.#roomAt = Number.POSITIVE_INFINITY;
  }

  async #scanPage(max: number): Promise<ClaimedAction[]> {
    const open = [...this.#names.keys()].filter((n) => this.#after[n] !== null);
    const ofEach = Math.max(1, Math.floor(KEYS_AT_ONCE / open.length));
    const names = open.map((n) => this.#names[n]!);
    const after = open.map((n) => this.#after[n]!);
    const { upTo, tokenInMs, contended, claimed } = await this.#db.tx(async (tx) => {
      const { limits, ...seen } = await lockLimits(tx, names, after, ofEach);
      const claimed = limits.length === 0 ? [] : await claimLimitedActions(tx, limits, this.#wanted, max);
      return { ...seen, claimed };
    });
    // Only after the commit: a failed scan is repeated.
    for (const [i, n] of open.entries()) this.#after[n] = upTo[i]!;
    const roomInMs = Math.min(
      tokenInMs ?? Number.POSITIVE_INFINITY,
      contended ? CONTENDED_MS : Number.POSITIVE_INFINITY,
    );
    this.#roomAt = Math.min(this.#roomAt, performance.now() + roomInMs);
    return claimed;
  }
}
