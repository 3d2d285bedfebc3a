import { expect, it } from 'vitest';
import type { Database } from '../../db/database.ts';
import { WorkflowWaiters } from './workflow-waiters.ts';

it('asks about all in turn, however many wait and however often hints make all of them due', async () => {
  const rounds: string[][] = [];
  const twoRounds = Promise.withResolvers<void>();
  let hint = (_: string): void => {};
  const db = {
    listen: async (_: string, heard: (said: string) => void) => {
      hint = heard;
      return async () => {};
    },
    query: async (_: string, [, , ids]: [unknown, unknown, string[]]) => {
      rounds.push(ids);
      setImmediate(() => hint('ended crowd'));
      if (rounds.length === 2) twoRounds.resolve();
      return { rows: [], rowCount: 0 };
    },
  } as unknown as Database;
  const waiters = new WorkflowWaiters(db);
  const ids = Array.from({ length: 1500 }, (_, n) => `w${n}`);
  const waits = ids.map((id) =>
    waiters
      .until({ tenant: 'default', workflow: 'crowd', id }, 'to end', () => null, {})
      .catch((error: unknown) => error),
  );
  await twoRounds.promise;
  await waiters.close();
  await Promise.all(waits);
  expect(new Set(rounds.slice(0, 2).flat()).size).toBe(ids.length);
});
