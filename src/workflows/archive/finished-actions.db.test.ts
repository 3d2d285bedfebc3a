import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, many } from '../../db/database.ts';
import {
  historyOf,
  processes,
  reaches,
  requestActions,
  until,
  workflowWith,
} from '../actions/action.fixture.ts';
import { addActions } from '../actions/action-store.ts';
import { deleteEvents } from './archive-store.ts';
import { FinishedActions } from './finished-actions.ts';
import { RetentionJob } from './retention.ts';

let db: Database;
let kind: string;
let runs = 0;
let runners: ReturnType<typeof processes>;
beforeAll(async () => {
  db = await freshDatabase(8);
  runners = processes(db);
});
beforeEach(() => {
  kind = `k${randomUUID()}`;
  runs = 0;
});
afterEach(() => runners.stop());
afterAll(() => db.close());

const start = () => runners.start(workflowWith(kind, { charge: async () => ++runs }));
const retain = (finishedActionsMs: number) =>
  new RetentionJob(db, { endedWorkflowsMs: null, commandIdsMs: null, finishedActionsMs }).round(
    db.tx,
    10_000,
  );
const left = async (key: number) =>
  (
    await many<{ n: number }>(db, 'select n from action where workflow_key = $1 order by version, n', [key])
  ).map(({ n }) => n);

async function askAgain(workflowKey: number, version: number): Promise<void> {
  const of = { tenant: 'default', workflowKey, workflow: kind, version, n: 0 };
  await db.tx((tx) => addActions(tx, [{ ...of, name: 'charge', input: null, key: 'payment-1' }]));
}

describe('retention of actions that have ended', () => {
  it('deletes them after their time, although their workflow lives', async () => {
    const { key, actions } = await requestActions(db, kind, 'order-1', [
      { name: 'charge' },
      { name: 'charge' },
    ]);
    start();
    for (const id of actions) await reaches(db, id, 'done');
    await retain(3_600_000);
    expect(await left(key)).toEqual([0, 1]);
    await retain(-60_000);
    expect(await left(key)).toEqual([]);
    expect(await historyOf(db, key)).toHaveLength(2);
  });

  it('leaves those that have not ended, and those that can be retried', async () => {
    const states = ['waiting', 'running', 'failed', 'failed', 'cancelled'];
    const { key, actions } = await requestActions(
      db,
      kind,
      'order-1',
      states.map(() => ({ name: 'charge' })),
    );
    await db.query(
      `update action set state = new.state, ended_at = case when new.state in ('failed', 'cancelled') then clock() end
       from unnest($1::bigint[], $2::text[]) as new(id, state) where action.id = new.id`,
      [actions, states],
    );
    await db.query(
      `insert into dead_letter (tenant, kind, action_id, path, signature, reason, state, created_at)
       select 'default', 'action', id, 'x', 'x', 'x', state, clock()
       from unnest($1::bigint[], $2::text[]) as letter(id, state)`,
      [actions.slice(2, 4), ['open', 'resolved']],
    );
    await retain(-60_000);
    expect(await left(key)).toEqual([0, 1, 2]);
  });

  it('continues where it stopped', async () => {
    const { key, actions } = await requestActions(
      db,
      kind,
      'order-1',
      Array.from({ length: 5 }, () => ({ name: 'charge' })),
    );
    start();
    for (const id of actions) await reaches(db, id, 'done');
    const finished = new FinishedActions(2);
    const round = () => finished.round((work) => db.tx(work), -60_000, 0);
    for (let n = 0; n < 100 && (await left(key)).length > 0; n++) await round();
    expect(await left(key)).toEqual([]);
  });
});

describe('what was done under an own key', () => {
  it.each([
    ['retention', () => retain(-60_000)],
    ['the archive', (key: number) => db.tx((tx) => deleteEvents(tx, key, 1))],
  ])('is not done again after %s', async (_, forget) => {
    const { key, actions } = await requestActions(db, kind, 'order-1', [
      { name: 'charge', key: 'payment-1' },
    ]);
    start();
    await reaches(db, actions[0]!, 'done');
    await forget(key);
    await askAgain(key, 2);
    await until(
      async () =>
        (
          await many(db, `select from action where version = 2 and workflow_key = $1 and state = 'done'`, [
            key,
          ])
        ).length > 0,
    );
    expect(runs).toBe(1);
  });

  it('is kept once, however often it was requested', async () => {
    const { key, actions } = await requestActions(db, kind, 'order-1', [
      { name: 'charge', key: 'payment-1' },
    ]);
    start();
    await reaches(db, actions[0]!, 'done');
    await askAgain(key, 2);
    await until(async () => (await historyOf(db, key)).length === 2);
    await retain(-60_000);
    expect(await left(key)).toHaveLength(1);
    await askAgain(key, 3);
    await until(async () => (await historyOf(db, key)).length === 3);
    expect(runs).toBe(1);
  });
});
