import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { faultyDatabase, losingAnswers } from '../../../test/support/faulty-database.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many } from '../../db/database.ts';
import { defineWorkflow } from '../define.ts';
import type { Typed } from '../typed.ts';
import { IsolatedDelivery } from './isolated-delivery.ts';
import { addMessages } from './message-store.ts';

const workflow = defineWorkflow<number, Typed, Typed>({
  name: 'target',
  initial: () => 0,
  decide: (_, command) => command,
  evolve: (count) => count + 1,
});
const partitions = { parts: [0], total: 1 };
const tries = () => many<{ crashes: number }>(db, 'select crashes from message');

let db: Database;
beforeAll(async () => {
  db = await freshDatabase(4);
});
afterAll(() => db.close());

it('takes back an attempt that an outage interrupted, once the database is reachable again', async () => {
  const crashes = async () => (await tries())[0]?.crashes ?? 0;
  let [canFail, isDown, isStable] = [true, false, false];
  const on = faultyDatabase(db, async () => {
    if (isStable) return;
    const counted = (await crashes()) > 0;
    isDown ||= canFail && counted;
    canFail ||= !counted;
    if (isDown) throw new SeineError('unavailable', 'The connection was lost.', { retry: true });
  });
  const delivery = new IsolatedDelivery(on, workflow);
  const body = { type: 'go' };
  await addMessages(db, [{ tenant: 'default', workflow: 'target', id: 'a', kind: 'command', body }]);
  for (let n = 0; n < 7; n++) {
    await expect(delivery.round(partitions)).rejects.toThrow('The connection was lost.');
    expect(await crashes()).toBe(1); // not one more for each outage
    [canFail, isDown] = [false, false]; // the next outage follows the next attempt
  }
  isStable = true;
  expect(await delivery.round(partitions)).toEqual({ delivered: 1, isSafe: true });
  expect(await tries()).toEqual([]);
});

it('takes back an attempt when the answer to its count was lost', async () => {
  let isFaulty = true;
  const on = losingAnswers(db, (sql) => isFaulty && sql.includes('crashes + 1'));
  const delivery = new IsolatedDelivery(on, workflow);
  await addMessages(db, [
    { tenant: 'default', workflow: 'target', id: 'b', kind: 'command', body: { type: 'go' } },
  ]);
  for (let n = 0; n < 7; n++)
    await expect(delivery.round(partitions)).rejects.toThrow('The connection was lost.');
  expect(await tries()).toEqual([{ crashes: 0 }]);
  isFaulty = false;
  expect(await delivery.round(partitions)).toEqual({ delivered: 1, isSafe: true });
  expect(await tries()).toEqual([]);
});
