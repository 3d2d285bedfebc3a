/**
 * A worker's local share of a lease group's budget: reserved and not used yet. It reserves for about
 * BATCH_MS ahead, so that one statement serves many requests, and releases the rest when idle.
 */
import { withRetry } from '../../base/retry.ts';
import type { Database } from '../../db/database.ts';
import {
  type Amount,
  type BudgetState,
  combine,
  difference,
  isZero,
  shortfall,
  sum,
  ZERO_AMOUNT,
} from './budget.ts';
import { budgetExhaustedError } from './budget-exhausted.ts';
import { readBudget, releaseBudget, reserveBudget } from './budget-store.ts';

export interface LocalBudget {
  /** Resolves when the request may be sent. Rejects with a `limit` error once the budget is exhausted. */
  consume(need: Amount, signal: AbortSignal): Promise<void>;
  /** Returns the amount consumed for a request that was not sent. */
  refund(amount: Amount): void;
  /** Releases the unused reservation. */
  close(): Promise<void>;
}

export interface LocalBudgetOptions {
  /** Called once by this worker each time it finds the budget exhausted. */
  readonly onExhausted?: (state: BudgetState) => void;
}

const BATCH_MS = 250;
const TICK_MS = 1000;
/** Ticks between two updates of the elapsed time when nothing is reserved. */
const TOUCH_TICKS = 5;
const RETRY_TIMEOUT_MS = 600_000;
/** Minimum time between two checks whether an exhausted budget was raised. */
const RECHECK_MS = 1000;

/** Returns null if the lease group has no budget. */
export async function openLocalBudget(
  db: Database,
  groupId: number,
  options: LocalBudgetOptions = {},
): Promise<LocalBudget | null> {
  const state = await readBudget(db, groupId);
  return state && new ReservedBudget(db, groupId, state.limits.seconds !== undefined, options);
}

class ReservedBudget implements LocalBudget {
  readonly #db: Database;
  readonly #groupId: number;
  readonly #options: LocalBudgetOptions;
  readonly #ticking: NodeJS.Timeout;
  #reserved = ZERO_AMOUNT;
  #used = ZERO_AMOUNT; // since the last reservation
  #filledAt = performance.now();
  #turn: Promise<unknown> = Promise.resolve();
  #turns = 0;
  #idle = true;
  #ticks = 0;
  #exhausted: { readonly error: unknown; readonly at: number } | null = null;

  constructor(db: Database, groupId: number, timed: boolean, options: LocalBudgetOptions) {
    this.#db = db;
    this.#groupId = groupId;
    this.#options = options;
    this.#ticking = setInterval(() => this.#tick(timed), TICK_MS);
    this.#ticking.unref();
  }

  async consume(need: Amount, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#turns === 0 && this.#take(need)) return;
    await this.#inTurn(async () => {
      signal.throwIfAborted();
      if (!this.#take(need)) await this.#reserve(need, signal);
    });
  }

  refund(amount: Amount): void {
    this.#reserved = sum(this.#reserved, amount);
    this.#used = difference(this.#used, amount);
  }

  async close(): Promise<void> {
    clearInterval(this.#ticking);
    await this.#inTurn(() => this.#releaseUnused());
  }

  #take(need: Amount): boolean {
    if (!isZero(shortfall(need, this.#reserved))) return false;
    this.#reserved = difference(this.#reserved, need);
    this.#used = sum(this.#used, need);
    this.#idle = false;
    return true;
  }

  async #reserve(need: Amount, signal: AbortSignal): Promise<void> {
    if (this.#exhausted && performance.now() - this.#exhausted.at < RECHECK_MS) throw this.#exhausted.error;
    const want = shortfall(sum(need, this.#forecast()), this.#reserved);
    const missing = shortfall(need, this.#reserved);
    // A retry after an outage may reserve twice: that counts too much usage, never too little.
    const reserve = () => reserveBudget(this.#db, this.#groupId, missing, want);
    const answer = await withRetry(reserve, { forMs: RETRY_TIMEOUT_MS, signal });
    if (!answer) return; // the budget was removed
    if (answer.state.exhaustedLimit) throw this.#recordExhausted(answer.state);
    this.#exhausted = null;
    this.#reserved = sum(this.#reserved, answer.granted);
    this.#take(need);
  }

  /** The expected need: the amount used in the last BATCH_MS, growing at most twofold. */
  #forecast(): Amount {
    const now = performance.now();
    const factor = Math.min(2, BATCH_MS / Math.max(1, now - this.#filledAt));
    const soon = combine(this.#used, ZERO_AMOUNT, (used) => Math.max(0, Math.floor(used * factor)));
    this.#filledAt = now;
    this.#used = ZERO_AMOUNT;
    return soon;
  }

  #recordExhausted(state: BudgetState): unknown {
    const first = this.#exhausted === null;
    const error = budgetExhaustedError(this.#groupId, state, state.exhaustedLimit!);
    this.#exhausted = { error, at: performance.now() };
    if (first) this.#options.onExhausted?.(state);
    return error;
  }

  /** Releases an idle reservation, and counts the time when no other worker does. */
  #tick(timed: boolean): void {
    const work = async () => {
      if (this.#idle) await this.#releaseUnused();
      this.#idle = true;
      if (timed && ++this.#ticks % TOUCH_TICKS === 0) await this.#recordTime();
    };
    void this.#inTurn(work).catch(() => {}); // the next tick or request meets the same error
  }

  async #releaseUnused(): Promise<void> {
    const unused = this.#reserved;
    if (isZero(unused)) return;
    this.#reserved = ZERO_AMOUNT; // reset first, so that it is released at most once, even if the reply is lost
    await releaseBudget(this.#db, this.#groupId, unused);
  }

  async #recordTime(): Promise<void> {
    const answer = await reserveBudget(this.#db, this.#groupId, ZERO_AMOUNT, ZERO_AMOUNT);
    if (answer?.state.exhaustedLimit) this.#recordExhausted(answer.state);
  }

  /** Runs reservations one after the other: concurrent ones would both reserve too much. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#turns++;
    const done = this.#turn.then(work).finally(() => {
      this.#turns--;
    });
    this.#turn = done.catch(() => {});
    return done;
  }
}
