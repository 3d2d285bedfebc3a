import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { counter } from '../counter.fixture.ts';
import { load } from './load.ts';

let db: Database;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.close());

const WORKFLOWS = 30;
const EVENTS = 900;

it('many long histories are read in portions, each workflow in one of them with all of its commands', async () => {
  const workflow = counter('long');
  await db.query(
    `insert into workflow (tenant, name, id, hash, version)
     select 'default', 'long', 'w' || n, n, $2 from generate_series(1, $1::integer) n`,
    [WORKFLOWS, EVENTS],
  );
  await db.query(
    `insert into event (workflow_key, version, workflow, slot, hash, type, schema, data, command_id)
     select key, v, 'long', 0, hash, 'added', 1, '{"n": 1}', 'command ' || v
     from workflow, generate_series(1, $1::integer) v where name = 'long'`,
    [EVENTS],
  );
  const rows: number[] = [];
  const counted: Queryable = {
    query: async (...asked) => {
      const answer = await db.query<never>(...asked);
      rows.push(answer.rows.length);
      return answer;
    },
  };
  const ids = Array.from({ length: WORKFLOWS }, (_, n) => `w${n + 1}`);
  const wanted = ['command 7', 'new'].flatMap((commandId) =>
    ids.map((id) => ({ tenant: 'default', id, commandId })),
  );
  const loaded = await load(counted, workflow, [
    ...wanted,
    { tenant: 'default', id: 'none', commandId: null },
  ]);
  expect(Math.max(...rows)).toBeLessThan(12_000);
  expect(rows.length).toBeLessThan(5);
  expect(loaded.pop()).toMatchObject({ key: null, folded: { version: 0 } });
  for (const [n, { folded, handled, failure }] of loaded.entries())
    expect({ folded, handled, failure }).toEqual({
      folded: { version: EVENTS, state: { sum: EVENTS, events: EVENTS } },
      handled: n < WORKFLOWS,
      failure: null,
    });
});
