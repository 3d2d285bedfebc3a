/** What a source calls before every request: first the budget of the work, then the rate limit of the quota. */
import type { Rate } from '../limits/limit.ts';
import type { Limiter } from '../limits/limiter.ts';
import { costOf, type Prices, pricesFor, type RequestKind } from './prices.ts';
import type { Purse } from './purse.ts';

interface Gate {
  /** There is nothing to count and nothing to wait for. */
  readonly free: boolean;
  pass(kind: RequestKind, bytes: number, signal: AbortSignal): Promise<void>;
  throttled(retryAfterMs: number | null): void;
}

export interface GateOptions {
  readonly limiter: Limiter;
  /** Null: the work has no budget. */
  readonly budget: Purse | null;
  /** Undefined: a local source, without a limit. */
  readonly quota: string | undefined;
  /** Instead of the default for the quota's provider. */
  readonly rate?: Rate | null;
  readonly prices?: Prices | null;
}

export function createGate({ limiter, budget, quota, rate, prices }: GateOptions): Gate {
  if (quota !== undefined && rate) limiter.setRate(quota, rate);
  const limited = (signal: AbortSignal) => limiter.take(quota!, 1, signal);
  const asked = prices ?? pricesFor(quota);

  async function pay(kind: RequestKind, bytes: number, signal: AbortSignal): Promise<void> {
    const need = { requests: 1, bytes, nanos: costOf(asked, kind, bytes) };
    await budget!.spend(need, signal);
    if (quota === undefined) return;
    // The budget first: a token that waited for it would expire.
    await limited(signal).catch((error: unknown) => {
      budget!.refund(need);
      throw error;
    });
  }

  return {
    free: !budget && quota === undefined,
    pass: budget ? pay : quota === undefined ? passFreely : (_kind, _bytes, signal) => limited(signal),
    throttled: (retryAfterMs) => {
      if (quota !== undefined) limiter.throttled(quota, retryAfterMs);
    },
  };
}

const FREE = Promise.resolve();

function passFreely(_kind: RequestKind, _bytes: number, signal: AbortSignal): Promise<void> {
  return signal.aborted ? Promise.reject(signal.reason) : FREE;
}
