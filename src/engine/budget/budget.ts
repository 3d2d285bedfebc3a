/**
 * What a lease group may use: `requests=2M, bytes=500GB, cost=$40, time=6h`. One row in the database holds the limits
 * and the usage; workers reserve there before a request is sent.
 *
 * Reserved counts as used. A worker reserves for about BATCH_MS ahead (local-budget.ts), at most a small share of what is
 * left, and releases the unused rest when it pauses or ends. A worker that crashes releases nothing. So the row never
 * shows less than was used, and exceeds it by at most one batch per crash.
 *
 * A request is admitted while something is left of every limit. Requests are counted one by one and never exceed their
 * limit. The bytes and the cost of one request can be more than what is left: the last admitted request may exceed the
 * limit, and no other does.
 *
 * Time is counted while workers are active: each reservation adds the time since the previous one, by the database's
 * clock, capped to a short gap. Idle time between two sessions is not counted, nor are jumps of the clock.
 *
 * The exhausted limit is stored in the row, so all workers see the same state; `raiseBudget` clears it.
 */

/** The limits; an absent field is unlimited. */
export interface Budget {
  readonly requests?: number;
  readonly bytes?: number;
  /** In the currency of the price list. */
  readonly cost?: number;
  readonly seconds?: number;
  /** The currency symbol used in the input, for display. */
  readonly currency?: string;
}

/** Usage, reservations included. */
export interface BudgetUsage {
  readonly requests: number;
  readonly bytes: number;
  readonly cost: number;
  readonly seconds: number;
}

export type LimitName = 'requests' | 'bytes' | 'cost' | 'time';

export interface BudgetState {
  readonly limits: Budget;
  readonly used: BudgetUsage;
  /** The limit that was met: no request is admitted until it is raised. */
  readonly exhaustedLimit: LimitName | null;
}

/** The need of one or several requests. The cost is in billionths of the currency, so that sums are exact. */
export interface Amount {
  readonly requests: number;
  readonly bytes: number;
  readonly nanos: number;
}

export const ZERO_AMOUNT: Amount = { requests: 0, bytes: 0, nanos: 0 };
export const NANOS = 1e9;

/** Applies `how` to each field. */
export function combine(a: Amount, b: Amount, how: (a: number, b: number) => number): Amount {
  return {
    requests: how(a.requests, b.requests),
    bytes: how(a.bytes, b.bytes),
    nanos: how(a.nanos, b.nanos),
  };
}

export function sum(a: Amount, b: Amount): Amount {
  return combine(a, b, (x, y) => x + y);
}

export function difference(a: Amount, b: Amount): Amount {
  return combine(a, b, (x, y) => x - y);
}

/** The part of `a` that `b` does not cover. */
export function shortfall(a: Amount, b: Amount): Amount {
  return combine(a, b, (x, y) => Math.max(0, x - y));
}

export function isZero(a: Amount): boolean {
  return a.requests === 0 && a.bytes === 0 && a.nanos === 0;
}
