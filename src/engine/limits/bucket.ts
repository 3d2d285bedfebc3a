/** Where the schedule of a quota is kept: in PostgreSQL or in Redis. The arithmetic is told in limit.ts. */
import type { Limit } from './limit.ts';

export interface TokenBucket {
  /** What keeps it, for people. */
  readonly name: string;
  /** Asks for up to `tokens`. Rejects when the server can't be asked. */
  take(quota: string, limit: Limit, tokens: number): Promise<LimiterReply>;
  /** The provider wants it slower: halves the rate and lets nobody pass for `stealPauseMs`. */
  slow(quota: string, limit: Limit, pauseMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface LimiterReply {
  /** 0: none now, ask again when the wait is nearly over. */
  readonly tokens: number;
  /** Milliseconds from the server's answer until they may be used. */
  readonly inMs: number;
  /** The rate as it is now, after slow-downs. */
  readonly perSecond: number;
}
