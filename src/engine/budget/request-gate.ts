/**
 * Called by sources before every request: first checks the budget of the lease group, then the rate limit
 * of the quota.
 */
import type { Rate } from '../limits/limit.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { LocalBudget } from './local-budget.ts';
import { costOf, type Prices, pricesFor, type RequestKind } from './prices.ts';

interface RequestGate {
  /** True if there is neither a budget nor a rate limit. */
  readonly free: boolean;
  admit(kind: RequestKind, bytes: number, signal: AbortSignal): Promise<void>;
  throttled(retryAfterMs: number | null): void;
}

export interface RequestGateOptions {
  readonly limiter: Limiter;
  /** Null if the lease group has no budget. */
  readonly budget: LocalBudget | null;
  /** Undefined for a local source, which has no limit. */
  readonly quota: string | undefined;
  /** Overrides the default rate of the quota's provider. */
  readonly rate?: Rate | null;
  readonly prices?: Prices | null;
}

export function createRequestGate({ limiter, budget, quota, rate, prices }: RequestGateOptions): RequestGate {
  if (quota !== undefined && rate) limiter.setRate(quota, rate);
  const limited = (signal: AbortSignal) => limiter.take(quota!, 1, signal);
  const priceList = prices ?? pricesFor(quota);

  async function pay(kind: RequestKind, bytes: number, signal: AbortSignal): Promise<void> {
    const need = { requests: 1, bytes, nanos: costOf(priceList, kind, bytes) };
    await budget!.consume(need, signal);
    if (quota === undefined) return;
    // The budget is checked first: a token taken before would expire while waiting for it.
    await limited(signal).catch((error: unknown) => {
      budget!.refund(need);
      throw error;
    });
  }

  return {
    free: !budget && quota === undefined,
    admit: budget ? pay : quota === undefined ? admitFreely : (_kind, _bytes, signal) => limited(signal),
    throttled: (retryAfterMs) => {
      if (quota !== undefined) limiter.throttled(quota, retryAfterMs);
    },
  };
}

const ADMITTED = Promise.resolve();

function admitFreely(_kind: RequestKind, _bytes: number, signal: AbortSignal): Promise<void> {
  return signal.aborted ? Promise.reject(signal.reason) : ADMITTED;
}
