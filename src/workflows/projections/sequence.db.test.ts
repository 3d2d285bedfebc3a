import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import type { Database } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { counter } from '../counter.fixture.ts';
import { registerProjection } from './control-projections.ts';
import { defineProjection } from './projection.ts';
import { Projector } from './projector.ts';

let db: Database & { url: string };
beforeAll(async () => {
  db = await freshDatabase(8);
});
afterAll(() => db.close());

const workflow = counter('ordered');
const add = (n: number) => ({ tenant: 'default', id: 'a', command: { type: 'add', n } as never });

/** A transaction that has a number and stays open until it is released. */
async function open(then: (tx: Parameters<Parameters<Database['tx']>[0]>[0]) => Promise<unknown>) {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = db.tx(async (tx) => {
    await tx.query('select pg_current_xact_id()');
    begun.resolve();
    await released.promise;
    await then(tx);
  });
  await begun.promise;
  return async () => {
    released.resolve();
    await ended;
  };
}

it('an event of an earlier transaction is applied after those that its workflow had before, each once', async () => {
  const applied: number[] = [];
  const projection = defineProjection({
    name: 'order',
    from: [workflow],
    init: () => {},
    reset: () => {},
    apply: (_, { version }) => applied.push(version),
    batch: 1,
  });
  await registerProjection(db, projection, () => {});
  const projector = new Projector(db, projection, { holder: randomUUID(), ttlMs: 60_000, say: () => {} });
  const finish = async () => {
    await repeatWhile('rounds of the projection', async () => 'applied' in (await projector.round()));
  };
  const late = await open((tx) => handleCommands(tx, workflow, [add(3)]));
  const stableOffset = await open(async () => {}); // no reader passes it: versions 1 and 2 lie behind it in the log, 3 before it
  await handleCommands(db, workflow, [add(1)]);
  await handleCommands(db, workflow, [add(2)]);
  await late();
  await finish();
  // Another transaction of the server may hold the horizon back: then none of them is readable yet.
  expect([[], [1, 2, 3]]).toContainEqual([...applied]);
  await stableOffset();
  await settledLog(db);
  await finish();
  expect(applied).toEqual([1, 2, 3]);
});

it('of two workflow types no event is skipped that is committed while they are read', async () => {
  const kinds = [counter('first'), counter('second')];
  const applied: string[] = [];
  const projection = defineProjection({
    name: 'two',
    from: kinds,
    init: () => {},
    reset: () => {},
    apply: (_, event) => applied.push(event.workflow),
  });
  await registerProjection(db, projection, () => {});
  let reads = 0;
  const query: Database['query'] = async (...asked) => {
    const answer = await db.query<never>(...asked);
    if (!asked[2]?.startsWith('read_') || reads++ > 0) return answer;
    for (const kind of kinds) await handleCommands(db, kind, [add(1)]);
    await settledLog(db);
    return answer;
  };
  const options = { holder: randomUUID(), ttlMs: 60_000, say: () => {} };
  const projector = new Projector({ ...db, query }, projection, options);
  await projector.round(); // init
  await projector.round();
  expect(reads).toBeGreaterThan(0);
  await repeatWhile('rounds of the projection', async () => 'applied' in (await projector.round()));
  expect(applied.toSorted()).toEqual(['first', 'second']);
});
