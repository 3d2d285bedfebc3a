/**
 * The gate between a source and its provider: the rate limit shared by all workers, and the scan's budget. A source calls it before every
 * request, and reports throttling.
 */
export type RequestKind = 'list' | 'read' | 'head' | 'write';

export interface RequestGate {
  /** Admits everything immediately, so that fast local reads may skip it. */
  readonly free?: boolean;
  /**
   * Resolves when the request may be sent. `bytes`: what it will transfer, as far as known in advance. Rejects with the signal's reason
   * when aborted, and with a `limit` error when the scan's budget is exhausted; then nothing may be sent.
   */
  admit(kind: RequestKind, bytes: number, signal: AbortSignal): Promise<void>;
  /** The provider answered "slow down" (429, 503), perhaps with a Retry-After. */
  throttled(retryAfterMs: number | null): void;
}

/** For local sources, tests, and callers without limits. */
export const UNLIMITED_GATE: RequestGate = {
  free: true,
  admit: async (_kind, _bytes, signal) => signal.throwIfAborted(),
  throttled: () => {},
};
