/** Actions with an idempotency key of their own: what is done under one key is done once by each workflow. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many } from '../../db/database.ts';
import {
  gate,
  historyOf,
  processes,
  reaches,
  requestActions,
  until,
  workflowWith,
} from './action.fixture.ts';
import type { Action, ActionContext } from './action.ts';
import { addActions, cancelActions } from './action-store.ts';

let db: Database;
let kind: string;
let runners: ReturnType<typeof processes>;
beforeAll(async () => {
  db = await freshDatabase(8);
  runners = processes(db);
});
beforeEach(() => {
  kind = `k${randomUUID()}`;
});
afterEach(() => runners.stop());
afterAll(() => db.close());

const start = (charge: Action) => runners.start(workflowWith(kind, { charge, refund: charge }));
const charge = { name: 'charge', key: 'payment-1' };

/** A later event of this workflow asks for it. */
async function askAgain(
  workflowKey: number,
  version: number,
  key: string | null = 'payment-1',
): Promise<void> {
  const action = {
    tenant: 'default',
    workflowKey,
    workflow: kind,
    version,
    n: 0,
    name: 'charge',
    input: null,
    key,
  };
  await db.tx((tx) => addActions(tx, [action]));
}

describe('a key', () => {
  it('is the idempotency key that the action is given', async () => {
    const keys: string[] = [];
    const { actions } = await requestActions(db, kind, 'order-1', [charge, { name: 'charge' }]);
    start(async (_: unknown, { idempotencyKey }: ActionContext) => void keys.push(idempotencyKey));
    for (const id of actions) await reaches(db, id, 'done');
    expect(keys.sort()).toEqual([`default/${kind}/order-1/1/1`, 'payment-1']);
  });

  it('that is given twice while the action is open is one action, whose event answers both', async () => {
    const wait = gate();
    let runs = 0;
    const { key, actions } = await requestActions(db, kind, 'order-1', [charge, charge]);
    expect(actions).toHaveLength(1);
    start(async () => {
      runs++;
      await wait.opened;
      return 'paid';
    });
    await until(() => runs === 1);
    await askAgain(key, 2);
    wait.open();
    await reaches(db, actions[0]!, 'done');
    expect(await many(db, 'select from action where workflow_key = $1', [key])).toHaveLength(1);
    expect(await historyOf(db, key)).toEqual([['charge.done', { result: 'paid' }]]);
  });

  it.each([
    ['a value', 'paid'],
    ['nothing', undefined],
  ])('of an action that was done brings its result again, without a run: %s', async (_, result) => {
    let runs = 0;
    const { key, actions } = await requestActions(db, kind, 'order-1', [charge]);
    start(async () => {
      runs++;
      return result;
    });
    await reaches(db, actions[0]!, 'done');
    await askAgain(key, 2);
    await until(async () => (await historyOf(db, key)).length === 2);
    const event = ['charge.done', { result: result ?? null }];
    expect(await historyOf(db, key)).toEqual([event, event]);
    expect(runs).toBe(1);
  });

  it.each([
    [
      'failed',
      async () => Promise.reject(Object.assign(new Error('refused'), { retry: false })),
      ['charge.failed', 'charge.done'],
    ],
    ['was cancelled', null, ['charge.done']],
  ])('of an action that %s reruns it with the same idempotency key', async (_, first, history) => {
    const { key, actions } = await requestActions(db, kind, 'order-1', [charge]);
    if (first) {
      start(first);
      await reaches(db, actions[0]!, 'failed');
      await runners.stop();
    } else await db.tx((tx) => cancelActions(tx, [key]));
    await askAgain(key, 2);
    start(async (_input: unknown, { idempotencyKey }: ActionContext) => idempotencyKey);
    await until(async () => (await historyOf(db, key)).at(-1)?.[0] === 'charge.done');
    expect((await historyOf(db, key)).map(([type]) => type)).toEqual(history);
    expect((await historyOf(db, key)).at(-1)).toEqual(['charge.done', { result: 'payment-1' }]);
  });

  it('means nothing to other actions and to other workflows', async () => {
    let runs = 0;
    const first = await requestActions(db, kind, 'order-1', [charge, { name: 'refund', key: 'payment-1' }]);
    const second = await requestActions(db, kind, 'order-2', [charge]);
    start(async () => void runs++);
    for (const id of [...first.actions, ...second.actions]) await reaches(db, id, 'done');
    expect(runs).toBe(3);
  });
});
