import { expect, it } from 'vitest';
import { SeineError } from '../base/errors.ts';
import type { Queryable } from '../db/database.ts';
import { closeUnlessUnreachable } from './close-unless-unreachable.ts';

const never = new Promise<never>(() => {});
const answering = (query: () => Promise<unknown>) => ({ query }) as unknown as Queryable;

it('steps are left alone when the database says nothing', async () => {
  await closeUnlessUnreachable(
    answering(() => never),
    () => never,
    5,
  );
});

it('steps are left alone when the database cannot be reached', async () => {
  const away = () => Promise.reject(new SeineError('unavailable', 'The database cannot be reached.'));
  await closeUnlessUnreachable(answering(away), () => never, 5);
});

it('steps may take long while the database answers', async () => {
  let asked = 0;
  const slow = Promise.withResolvers<void>();
  const db = answering(async () => {
    if (++asked === 3) slow.resolve();
    return { rows: [], rowCount: 0 };
  });
  let isDone = false;
  const steps = async () => {
    await slow.promise;
    isDone = true;
  };
  await closeUnlessUnreachable(db, steps, 5);
  expect(isDone).toBe(true);
});

it('reports a failing step', async () => {
  const failing = () => Promise.reject(new Error('no such thread'));
  await expect(
    closeUnlessUnreachable(
      answering(() => never),
      failing,
      1000,
    ),
  ).rejects.toThrow('no such thread');
});
