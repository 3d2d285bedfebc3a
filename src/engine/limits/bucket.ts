/**
 * Where the schedule of a quota is kept: in PostgreSQL or in Redis. The algorithm is described in limit.ts.
 */
import type { Limit } from './limit.ts';

export interface TokenBucket {
  /** The name of the store, for messages. */
  readonly name: string;
  /** Takes up to `tokens`. Rejects when the server is unreachable. */
  take(quota: string, limit: Limit, tokens: number): Promise<LimiterReply>;
  /** Called when the provider throttles: halves the rate and admits nothing for `pauseMs`. */
  slow(quota: string, limit: Limit, pauseMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface LimiterReply {
  /** 0: none now; ask again shortly before the wait ends. */
  readonly tokens: number;
  /** Milliseconds from the server's reply until they may be used. */
  readonly inMs: number;
  /** The current rate, after slow-downs. */
  readonly perSecond: number;
}
