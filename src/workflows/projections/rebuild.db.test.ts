/** Projections that are built again, and events that are kept for them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase, hasLockWaiter } from '../../../test/support/database.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { type Database, many, one } from '../../db/database.ts';
import { archiveEvents } from '../archive/archive.ts';
import { purgeWorkflows } from '../archive/purge.ts';
import { handleCommands } from '../commands/handle.ts';
import { continueAsNew } from '../decision.ts';
import { defineWorkflow } from '../define.ts';
import { complete } from '../effects.ts';
import { dropUnusedIndexes } from '../partitions/partition-index-store.ts';
import { startRunner } from '../runner/runner.ts';
import { rebuildProjection, registerProjection, removeProjection } from './control-projections.ts';
import { defineProjection } from './projection.ts';
import { haveLag, readProjectionSummaries } from './projection-store.ts';
import { Projector } from './projector.ts';

type Step = { readonly type: 'add' | 'end' | 'renew' };
type Stepped = { readonly type: 'added' | 'ended' };

let db: Database & { url: string };
let name = '';
let tests = 0;
beforeAll(async () => {
  db = await freshDatabase(8);
});
beforeEach(() => {
  name = `sums${tests++}`;
});
afterAll(() => db.close());

const tenant = 'default';

const account = () =>
  defineWorkflow<number, Step, Stepped>({
    name,
    initial: () => 0,
    decide: (sum, { type }) =>
      type === 'renew'
        ? [{ type: 'added' }, continueAsNew(sum + 1)]
        : { type: type === 'end' ? 'ended' : 'added' },
    evolve: (sum) => sum + 1,
    react: ({ type }) => (type === 'ended' ? complete() : []),
  });

async function send(
  workflow: ReturnType<typeof account>,
  id: string,
  ...types: Step['type'][]
): Promise<void> {
  await handleCommands(
    db,
    workflow,
    types.map((type) => ({ tenant, id, command: { type } })),
  );
  await settledLog(db);
}

/** How many events each workflow had. `by` is what an event counts: a later version of the code may count otherwise. */
function sums(workflow: ReturnType<typeof account>, by = 1) {
  return defineProjection({
    name,
    from: [workflow],
    init: (tx) => tx.query(`create table public.${name} (id text primary key, n bigint not null)`),
    reset: (tx) => tx.query(`drop table public.${name}`),
    apply: (tx, { id }) =>
      tx.query(
        `insert into public.${name} values ($1, $2) on conflict (id) do update set n = ${name}.n + excluded.n`,
        [id, by],
      ),
    batch: 3,
  });
}

async function projector(projection: ReturnType<typeof sums>): Promise<Projector> {
  await registerProjection(db, projection, () => {});
  return new Projector(db, projection, { holder: randomUUID(), ttlMs: 60_000, say: () => {} });
}

async function finish(one: Projector): Promise<void> {
  await repeatWhile('rounds of the projection', async () => 'applied' in (await one.round()));
}

const totals = () => many(db, `select id, n from public.${name} order by id`);
const line = async () => (await readProjectionSummaries(db, [name], 1000))[0]!;

async function react(workflow: ReturnType<typeof account>, events: number): Promise<void> {
  const runner = await startRunner(db, { workflows: [workflow], pollMs: 20 });
  await expect.poll(() => runner.counts.events).toBe(events);
  await runner.stop(0);
  await settledLog(db);
}

type Write = Parameters<typeof archiveEvents>[1]['write'];

const archive = (write: Write = async () => {}) =>
  archiveEvents(db, { tenant, workflow: name, olderThanMs: 0, delete: true, write });
const purge = (write: Write) => purgeWorkflows(db, { tenant, workflow: name, olderThanMs: 0, write });

/** Once, at the first page of a run that deletes. */
function atFirstPage(then: () => Promise<unknown>): Write {
  let first: Promise<unknown> | null = null;
  return async () => {
    first ??= then();
    await first;
  };
}

describe('a rebuild', () => {
  it('applies every event once more, with the code of today, while others append', async () => {
    const workflow = account();
    await send(workflow, 'a', 'add', 'add', 'add', 'add');
    await finish(await projector(sums(workflow)));
    expect(await totals()).toEqual([{ id: 'a', n: 4 }]);
    expect(await rebuildProjection(db, name)).toEqual({ missing: 0 });
    expect(await line()).toMatchObject({ state: 'rebuilding', epoch: 2, lag: 4 });
    expect(await haveLag(db, [name])).toBe(true);
    const again = await projector(sums(workflow, 10));
    await again.round(); // reset and init
    await again.round(); // a batch of three
    expect(await totals()).toEqual([{ id: 'a', n: 30 }]);
    expect(await line()).toMatchObject({ state: 'rebuilding', lag: 1 });
    await send(workflow, 'b', 'add');
    await finish(again);
    expect(await totals()).toEqual([
      { id: 'a', n: 40 },
      { id: 'b', n: 10 },
    ]);
    expect(await line()).toMatchObject({ state: 'running', lag: 0 });
    expect(await haveLag(db, [name])).toBe(false);
  });

  it('waits for the batch that is being applied, and then applies it again', async () => {
    const workflow = account();
    const reached = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const projection = sums(workflow);
    const slow = await projector(
      defineProjection({
        ...projection,
        apply: async (tx, event) => {
          if (event.version === 2) {
            reached.resolve();
            await release.promise;
          }
          return projection.apply(tx, event);
        },
      }),
    );
    await send(workflow, 'a', 'add', 'add', 'add');
    await slow.round(); // init
    const applying = slow.round();
    await reached.promise;
    const rebuilding = rebuildProjection(db, name);
    await hasLockWaiter(db);
    release.resolve();
    await Promise.all([applying, rebuilding]);
    expect(await totals()).toEqual([{ id: 'a', n: 3 }]);
    await finish(slow); // by the new lease
    expect(await totals()).toEqual([{ id: 'a', n: 3 }]);
    expect(await line()).toMatchObject({ epoch: 2, state: 'running' });
  });

  it('of one that was never initialised calls init without reset', async () => {
    const workflow = account();
    await send(workflow, 'a', 'add');
    await registerProjection(db, sums(workflow), () => {});
    await rebuildProjection(db, name);
    await finish(await projector(sums(workflow)));
    expect(await totals()).toEqual([{ id: 'a', n: 1 }]);
  });

  it('is refused when events were archived, unless that is accepted', async () => {
    const workflow = account();
    await send(workflow, 'gone', 'add', 'end');
    await send(workflow, 'renewed', 'add', 'renew', 'add');
    await send(workflow, 'whole', 'add');
    await finish(await projector(sums(workflow)));
    await react(workflow, 7);
    expect((await archive()).deleted).toBeGreaterThan(0);
    await expect(rebuildProjection(db, name)).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('first events of 2 workflows were archived'),
      hint: expect.stringContaining('--incomplete'),
    });
    expect(await rebuildProjection(db, name, { incomplete: true })).toEqual({ missing: 2 });
    await finish(await projector(sums(workflow)));
    expect(await totals()).toEqual([
      { id: 'renewed', n: 1 },
      { id: 'whole', n: 1 },
    ]);
  });

  it('of an unknown projection is refused', async () => {
    await expect(rebuildProjection(db, 'never')).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describe('events that a projection has not read', () => {
  it('are not archived, until it has read them or is removed', async () => {
    const workflow = account();
    const projection = sums(workflow);
    await registerProjection(db, projection, () => {});
    await send(workflow, 'a', 'add', 'end');
    await react(workflow, 2);
    expect(await archive()).toMatchObject({ events: 0 });
    await finish(await projector(projection));
    expect((await archive()).deleted).toBeGreaterThan(0);

    await send(workflow, 'b', 'add', 'end');
    await react(workflow, 2);
    expect(await archive()).toMatchObject({ events: 0 });
    await removeProjection(db, name);
    expect((await archive()).deleted).toBeGreaterThan(0);
    expect(await totals()).toEqual([{ id: 'a', n: 2 }]);
  });

  it.each([
    ['archive', archive],
    ['purge', purge],
  ])('stay when it is registered or rebuilt during a run of the %s', async (_, run) => {
    const workflow = account();
    for (const id of ['a', 'b']) await send(workflow, id, 'add', 'end');
    await react(workflow, 4);
    await run(atFirstPage(() => registerProjection(db, sums(workflow), () => {})));
    await finish(await projector(sums(workflow)));
    expect(await totals()).toEqual([
      { id: 'a', n: 2 },
      { id: 'b', n: 2 },
    ]);
    await run(atFirstPage(async () => expect(await rebuildProjection(db, name)).toEqual({ missing: 0 })));
    await finish(await projector(sums(workflow, 10)));
    expect(await totals()).toEqual([
      { id: 'a', n: 20 },
      { id: 'b', n: 20 },
    ]);
  });

  it('are not deleted while a rebuild is under way', async () => {
    const workflow = account();
    await send(workflow, 'a', 'add', 'end');
    await finish(await projector(sums(workflow)));
    await react(workflow, 2);
    const { archiving } = await db.tx(async (tx) => {
      await rebuildProjection({ ...db, tx: (work) => work(tx) }, name);
      const archiving = archive();
      await hasLockWaiter(db);
      return { archiving };
    });
    expect(await archiving).toMatchObject({ deleted: 0 });
  });

  it('are found by an index that is kept as long as there is a projection', async () => {
    await registerProjection(db, sums(account()), () => {});
    expect(await dropUnusedIndexes(db)).toEqual([]);
    const { ready } = await one<{ ready: boolean }>(
      db,
      `select indisvalid as ready from pg_index where indexrelid = 'seine.event_of_1'::regclass`,
    );
    expect(ready).toBe(true);
  });
});
