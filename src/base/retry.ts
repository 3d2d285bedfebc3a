import { SeineError } from './errors.ts';

/** Full jitter: a random pause up to the doubled one before it, so that many waiters don't come back together. */
export function backoff(attempt: number, { firstMs = 100, mostMs = 5000 } = {}): number {
  return Math.random() * Math.min(mostMs, firstMs * 2 ** attempt);
}

/** How a pause is spent. A simulation has its own time and replaces it; nothing else does. */
export const pauses = { spend: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) };

/** Tries again while the error says that it may help, for at most `forMs`. */
export async function retrying<T>(
  work: () => Promise<T>,
  { forMs, signal }: { forMs: number; signal?: AbortSignal },
): Promise<T> {
  const started = performance.now();
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const again = error instanceof SeineError && error.retry && !signal?.aborted;
      if (!again || performance.now() - started > forMs) throw error;
      await pauses.spend(50 + backoff(attempt));
    }
  }
}
