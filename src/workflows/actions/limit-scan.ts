/**
 * Goes through the limit keys that have waiting actions, and claims what their limits have room for. A pass goes through all of them, however many
 * are saturated; a claim takes as much of it as its time allows, and the next one goes on there.
 */
import type { Database } from '../../db/database.ts';
import type { ActionClaimRequest, ClaimedAction } from './claim-store.ts';
import { claimLimitedActions, type LimitedAction, lockLimits } from './limited-store.ts';

/** Limit keys that one statement goes through, of all actions together. */
const KEYS_AT_ONCE = 200;
/** Of one claim. */
const SCAN_MS = 100;
/** Until another claim has released the lock of a limit, usually. */
const CONTENDED_MS = 10;

export class LimitScan {
  readonly #db: Database;
  readonly #names: readonly LimitedAction[];
  readonly #wanted: ActionClaimRequest;
  /** How far the keys of each action were looked through in this pass; null: to the end. */
  #after: (string | null)[];
  /** The earliest time at which a limit of this pass has room again by itself: a token of a rate, a lock of another claim. */
  #roomAt = Number.POSITIVE_INFINITY;
  /** When the next look may find something that this one did not: the end of a pass, a token, a lock. Infinity: by an event only. */
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

  /** Until it has as many as are wanted, its time is up, or the pass ends. */
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
    // What was claimed has used tokens: the next look finds out when there are more.
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
    // Not before the commit: a look that failed is repeated.
    for (const [i, n] of open.entries()) this.#after[n] = upTo[i]!;
    const roomInMs = Math.min(
      tokenInMs ?? Number.POSITIVE_INFINITY,
      contended ? CONTENDED_MS : Number.POSITIVE_INFINITY,
    );
    this.#roomAt = Math.min(this.#roomAt, performance.now() + roomInMs);
    return claimed;
  }
}
