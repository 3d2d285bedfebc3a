import { afterEach, expect, it, vi } from 'vitest';
import type { Database } from '../../db/database.ts';
import { WorkflowWaiters } from './workflow-waiters.ts';

afterEach(() => void vi.useRealTimers());

it('asks about all in turn, however many wait and however often hints make all of them due', async () => {
  const rounds: string[][] = [];
  const twoRounds = Promise.withResolvers<void>();
  let hint = (_: string): void => {};
  const db = {
    listen: async (_: string, subscribers: (said: string) => void) => {
      hint = subscribers;
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

it('asks again at once after a hint that came while it was asking', async () => {
  vi.useFakeTimers();
  let hint = (_: string): void => {};
  let [queries, ended] = [0, false];
  const db = {
    listen: async (_: string, subscribers: (said: string) => void) => {
      hint = subscribers;
      return async () => {};
    },
    query: async () => {
      queries++;
      if (ended) hint('ended crowd'); // after the answer was read
      return { rows: [], rowCount: 0 };
    },
  } as unknown as Database;
  const waiters = new WorkflowWaiters(db);
  const address = { tenant: 'default', workflow: 'crowd', id: 'a' };
  const wait = waiters.until(address, 'to end', () => null, {}).catch(() => {});
  await vi.advanceTimersByTimeAsync(20_000); // it has waited for long, so it asks seldom
  [queries, ended] = [0, true];
  for (let ms = 0; queries === 0 && ms < 60_000; ms++) await vi.advanceTimersByTimeAsync(1);
  ended = false;
  await vi.advanceTimersByTimeAsync(100);
  expect(queries).toBe(2);
  await waiters.close();
  await wait;
});
