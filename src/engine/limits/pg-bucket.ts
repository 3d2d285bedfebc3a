import type { Database } from '../../db/database.ts';
import type { Answer, Bucket } from './bucket.ts';
import { addBucket, slowBucket, takeTokens } from './bucket-store.ts';
import type { Limit } from './limit.ts';

/** A row for each quota; one statement for each batch. */
export function createPgBucket(db: Database): Bucket {
  async function take(quota: string, limit: Limit, tokens: number): Promise<Answer> {
    for (;;) {
      const answer = await takeTokens(db, quota, limit, tokens);
      if (answer) return answer;
      await addBucket(db, quota, limit);
    }
  }

  return {
    name: 'the database',
    take,
    async slow(quota, limit, pauseMs) {
      while (!(await slowBucket(db, quota, limit, pauseMs))) await addBucket(db, quota, limit);
    },
    close: async () => {}, // the database is not ours
  };
}
