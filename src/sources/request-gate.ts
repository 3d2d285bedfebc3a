/**
 * What stands between a source and its provider: the rate limit that all workers share, and the scan's budget. A source
 * asks before every request and tells when the provider wants it slower.
 */
export type RequestKind = 'list' | 'read' | 'head' | 'write';

export interface RequestGate {
  /** Everything passes at once: whoever reads fast from near by need not ask. */
  readonly free?: boolean;
  /**
   * Resolves when the request may be sent. `bytes`: what it will transfer, as far as is known before. Rejects with the signal's reason
   * when aborted, and with a `limit` error when the scan's budget is spent: then nothing may be sent.
   */
  admit(kind: RequestKind, bytes: number, signal: AbortSignal): Promise<void>;
  /** The provider answered "slow down" (429, 503), perhaps with a time to wait. */
  throttled(retryAfterMs: number | null): void;
}

/** Local sources, tests, and whoever has no limits. */
export const UNLIMITED_GATE: RequestGate = {
  free: true,
  admit: async (_kind, _bytes, signal) => signal.throwIfAborted(),
  throttled: () => {},
};
