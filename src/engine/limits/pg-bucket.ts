import type { Database } from '../../db/database.ts';
import type { LimiterReply, TokenBucket } from './bucket.ts';
import { createBucket, decreaseBucketRate, takeTokens } from './bucket-store.ts';
import type { Limit } from './limit.ts';

/** One row per quota; one statement per batch. */
export function createPgBucket(db: Database): TokenBucket {
  async function take(quota: string, limit: Limit, tokens: number): Promise<LimiterReply> {
    for (;;) {
      const answer = await takeTokens(db, quota, limit, tokens);
      if (answer) return answer;
      await createBucket(db, quota, limit);
    }
  }

  return {
    name: 'the database',
    take,
    async slow(quota, limit, pauseMs) {
      while (!(await decreaseBucketRate(db, quota, limit, pauseMs))) await createBucket(db, quota, limit);
    },
    close: async () => {}, // the database belongs to the caller
  };
}
