import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { type Database, one } from '../../db/database.ts';
import { WorkflowClient } from '../client.ts';
import { defineWorkflow } from '../define.ts';
import { complete } from '../effects.ts';
import { startRunner } from '../runner/runner.ts';
import { startChild } from './child.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase(12);
});
afterAll(() => db.close());

type Step = { readonly type: 'begin' | 'end' };

const child = defineWorkflow<null, Step, Step>({
  name: 'lasting',
  initial: () => null,
  decide: (_, command) => command,
  evolve: (state) => state,
  react: ({ type }) => (type === 'end' ? complete('fine') : []),
});

/** Its code of version 1 or 2: both ask for the child. */
const parent = (version: number) =>
  defineWorkflow<null, { type: 'ask' }, { type: string; result?: unknown }>({
    name: 'asking',
    version,
    upcast: { 1: (event) => event },
    initial: () => null,
    decide: () => ({ type: 'asked' }),
    evolve: (state) => state,
    react: ({ type, result }, _, { id }) => {
      if (type === 'asked') return startChild(child, `of-${id}`, { type: 'begin' }, { name: 'kid' });
      return type === 'kid.completed' ? complete(result) : [];
    },
  });

it('the end of a child reaches a parent of newer code although older code holds the part of the parent', async () => {
  const start = (version: number) =>
    startRunner(db, { workflows: [child, parent(version)], leaseMs: 3000, pollMs: 100 });
  const client = new WorkflowClient(db);
  const ids = Array.from({ length: 12 }, (_, n) => `p${n}`);
  const newer = await start(2);
  const timeout = { seconds: 50 };
  const ask = { type: 'ask' } as const;
  await Promise.all(ids.map((id) => client.update(parent(2), id, ask, { timeout })));
  const begun = () => one<{ n: number }>(db, `select count(*) as n from workflow where name = 'lasting'`);
  await expect.poll(begun).toEqual({ n: ids.length });
  await newer.stop(0);
  const older = await start(1);
  await expect.poll(() => older.holds().map(({ parts }) => parts)).toEqual([256, 256]);
  for (const id of ids) await client.send(child, `of-${id}`, { type: 'end' });
  const over = () => one<{ n: number }>(db, 'select count(*) as n from child where outcome is not null');
  await expect.poll(over).toEqual({ n: ids.length });
  const again = await start(2);
  const results = await Promise.all(ids.map((id) => client.result(parent(2), id, { timeout })));
  expect(new Set(results)).toEqual(new Set(['fine']));
  await Promise.all([older.stop(0), again.stop(0)]);
});
