/**
 * A worker's purse: what it has reserved of a work's budget and not used yet. It is filled for about BATCH_MS ahead, so that
 * a reservation serves many requests, and emptied when nobody has asked for a while.
 */
import { retrying } from '../../base/retry.ts';
import type { Database } from '../../db/database.ts';
import {
  type Amount,
  type BudgetState,
  combine,
  difference,
  isNothing,
  NOTHING,
  shortfall,
  sum,
} from './budget.ts';
import { giveBack, readBudget, reserveBudget } from './budget-store.ts';
import { spentError } from './spent.ts';

export interface Purse {
  /** Resolves when the request may be sent. Rejects with a `limit` error when the budget is spent. */
  spend(need: Amount, signal: AbortSignal): Promise<void>;
  /** What was spent on a request that was not sent after all. */
  refund(amount: Amount): void;
  /** Gives back what was not used. */
  close(): Promise<void>;
}

export interface PurseOptions {
  /** Told once, by this worker, each time the budget is found spent. */
  readonly onSpent?: (state: BudgetState) => void;
}

const BATCH_MS = 250;
const TICK_MS = 1000;
/** How often the time is counted when nothing is reserved. */
const TOUCH_TICKS = 5;
const PATIENCE_MS = 600_000;
/** A spent budget may have been raised: it is looked at again, but not by every request. */
const LOOK_AGAIN_MS = 1000;

/** Null: the work has no budget, and nothing has to be asked. */
export async function openPurse(
  db: Database,
  work: number,
  options: PurseOptions = {},
): Promise<Purse | null> {
  const state = await readBudget(db, work);
  return state && new WorkPurse(db, work, state.limits.seconds !== undefined, options);
}

class WorkPurse implements Purse {
  readonly #db: Database;
  readonly #work: number;
  readonly #options: PurseOptions;
  readonly #ticking: NodeJS.Timeout;
  #held = NOTHING;
  #used = NOTHING; // since the last reservation
  #filledAt = performance.now();
  #turn: Promise<unknown> = Promise.resolve();
  #turns = 0;
  #idle = true;
  #ticks = 0;
  #spent: { readonly error: unknown; readonly at: number } | null = null;

  constructor(db: Database, work: number, timed: boolean, options: PurseOptions) {
    this.#db = db;
    this.#work = work;
    this.#options = options;
    this.#ticking = setInterval(() => this.#tick(timed), TICK_MS);
    this.#ticking.unref();
  }

  async spend(need: Amount, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#turns === 0 && this.#take(need)) return;
    await this.#inTurn(async () => {
      signal.throwIfAborted();
      if (!this.#take(need)) await this.#fill(need, signal);
    });
  }

  refund(amount: Amount): void {
    this.#held = sum(this.#held, amount);
    this.#used = difference(this.#used, amount);
  }

  async close(): Promise<void> {
    clearInterval(this.#ticking);
    await this.#inTurn(() => this.#empty());
  }

  #take(need: Amount): boolean {
    if (!isNothing(shortfall(need, this.#held))) return false;
    this.#held = difference(this.#held, need);
    this.#used = sum(this.#used, need);
    this.#idle = false;
    return true;
  }

  async #fill(need: Amount, signal: AbortSignal): Promise<void> {
    if (this.#spent && performance.now() - this.#spent.at < LOOK_AGAIN_MS) throw this.#spent.error;
    const want = shortfall(sum(need, this.#soon()), this.#held);
    const missing = shortfall(need, this.#held);
    // Repeated after an outage it may be reserved twice: too much is counted then, never too little.
    const reserve = () => reserveBudget(this.#db, this.#work, missing, want);
    const answer = await retrying(reserve, { forMs: PATIENCE_MS, signal });
    if (!answer) return; // the budget was taken away
    if (answer.state.spent) throw this.#noteSpent(answer.state);
    this.#spent = null;
    this.#held = sum(this.#held, answer.granted);
    this.#take(need);
  }

  /** What may be needed next: as much as was used in BATCH_MS lately, growing at most twofold. */
  #soon(): Amount {
    const now = performance.now();
    const factor = Math.min(2, BATCH_MS / Math.max(1, now - this.#filledAt));
    const soon = combine(this.#used, NOTHING, (used) => Math.max(0, Math.floor(used * factor)));
    this.#filledAt = now;
    this.#used = NOTHING;
    return soon;
  }

  #noteSpent(state: BudgetState): unknown {
    const first = this.#spent === null;
    const error = spentError(this.#work, state, state.spent!);
    this.#spent = { error, at: performance.now() };
    if (first) this.#options.onSpent?.(state);
    return error;
  }

  /** Gives back what lies idle, and counts the time when nobody else does. */
  #tick(timed: boolean): void {
    const work = async () => {
      if (this.#idle) await this.#empty();
      this.#idle = true;
      if (timed && ++this.#ticks % TOUCH_TICKS === 0) await this.#touch();
    };
    void this.#inTurn(work).catch(() => {}); // the next tick, or the next request, meets the same trouble
  }

  async #empty(): Promise<void> {
    const unused = this.#held;
    if (isNothing(unused)) return;
    this.#held = NOTHING; // first: whatever becomes of the answer, it is given back only once
    await giveBack(this.#db, this.#work, unused);
  }

  async #touch(): Promise<void> {
    const answer = await reserveBudget(this.#db, this.#work, NOTHING, NOTHING);
    if (answer?.state.spent) this.#noteSpent(answer.state);
  }

  /** One after the other: two reservations at once would both be too large. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#turns++;
    const done = this.#turn.then(work).finally(() => {
      this.#turns--;
    });
    this.#turn = done.catch(() => {});
    return done;
  }
}
