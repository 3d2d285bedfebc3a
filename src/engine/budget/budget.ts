/**
 * What a work may use: `requests=2M, bytes=500GB, cost=$40, time=6h`. One row in the database holds the limits and what was
 * used; whoever works reserves there before a request is sent.
 *
 * Reserved counts as used. A worker reserves for about BATCH_MS ahead (local-budget.ts), never more than a small part of what is
 * left, and gives back what it did not need when it pauses or ends. A worker that crashes can't give back: what it held
 * stays counted. So the row never shows less than was used, and more only by the last batch of each crash.
 *
 * A request passes while something is left of every limit. Requests are counted one by one and never exceed their limit.
 * The bytes and the cost of one request can be more than what is left: then the last request that passes goes over, and
 * no other does.
 *
 * Time is counted while somebody works: each reservation adds what passed since the one before it, by the database's clock,
 * but at most a short gap. A night between two sessions costs nothing, nor does a clock that is set forward or back.
 *
 * The limit that was met is kept in the row, so all workers see the same end; `raiseBudget` clears it.
 */

/** What is limited; absent: not limited. */
export interface Budget {
  readonly requests?: number;
  readonly bytes?: number;
  /** In the currency of the price list. */
  readonly cost?: number;
  readonly seconds?: number;
  /** The sign that the cost was written with, for people. */
  readonly currency?: string;
}

/** What was used, reservations included. */
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
  /** The limit that was met: nothing passes until it is raised. */
  readonly exhaustedLimit: LimitName | null;
}

/** What one or several requests need. The cost is counted in billionths, so that sums are exact. */
export interface Amount {
  readonly requests: number;
  readonly bytes: number;
  readonly nanos: number;
}

export const ZERO_AMOUNT: Amount = { requests: 0, bytes: 0, nanos: 0 };
export const NANOS = 1e9;

/** For each part of them. */
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

/** What of `a` is not in `b`. */
export function shortfall(a: Amount, b: Amount): Amount {
  return combine(a, b, (x, y) => Math.max(0, x - y));
}

export function isZero(a: Amount): boolean {
  return a.requests === 0 && a.bytes === 0 && a.nanos === 0;
}
