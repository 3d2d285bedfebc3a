import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { type Database, many, one } from '../../db/database.ts';
import { openDatabase } from '../../db/pool.ts';
import { handleCommands } from '../commands/handle.ts';
import { type AnyWorkflow, defineWorkflow } from '../define.ts';
import { type Runner, startRunner } from '../runner/runner.ts';
import { rebuildProjection, registerProjection, resumeProjection } from './control-projections.ts';
import { defineProjection, type Projection, type ProjectionDefinition } from './projection.ts';
import { readProjectionSummaries } from './projection-store.ts';
import { Projector } from './projector.ts';

type Note = { readonly type: string; readonly n: number };

let db: Database & { url: string };
let name = '';
let tests = 0;
const runners: Runner[] = [];
beforeAll(async () => {
  db = await freshDatabase(10);
  await db.query('create table public.late (id text unique deferrable initially deferred)');
  await db.query(
    'create table public.applied (projection text, workflow text, id text, version bigint, type text, n bigint)',
  );
});
beforeEach(() => {
  name = `notes${tests++}`;
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
});
afterAll(() => db.close());

const tenant = 'default';

/** Every command is an event. */
function notes(more: { name?: string; version?: number } = {}) {
  return defineWorkflow<number, Note, Note>({
    name,
    initial: () => 0,
    decide: (_, command) => command,
    evolve: (count) => count + 1,
    tags: ({ n }) => (n % 2 === 0 ? ['even'] : ['odd']),
    upcast: { 1: (event) => ({ ...event, n: Number(event.n) * 100 }) },
    ...more,
  });
}

async function write(workflow: AnyWorkflow, id: string, ...numbers: number[]): Promise<void> {
  const commands = numbers.map((n) => ({
    tenant,
    id,
    command: { type: n < 0 ? 'bad' : 'noted', n } as Note,
  }));
  await handleCommands(db, workflow, commands);
  await settledLog(db);
}

/** Writes down what it is given, and whatever the test adds. */
function project(from: ProjectionDefinition['from'], more: Partial<ProjectionDefinition> = {}): Projection {
  return defineProjection({
    name,
    from,
    init: () => {},
    reset: (tx) => tx.query('delete from public.applied where projection = $1', [name]),
    apply: async (tx, event) => {
      const { workflow, id, version, type, data } = event;
      const values = [name, workflow, id, version, type, data.n];
      await tx.query('insert into public.applied values ($1, $2, $3, $4, $5, $6)', values);
      await more.apply?.(tx, event);
    },
    ...(({ apply: _, ...rest }) => rest)(more),
  });
}

const applied = () =>
  many<{ id: string; version: number; n: number }>(
    db,
    'select id, version, n from public.applied where projection = $1 order by id, version',
    [name],
  );
const line = async () => (await readProjectionSummaries(db, [name], 1000))[0]!;

/** A projector of a runner, stepped by the test. */
async function stepRunner(projection: Projection, ttlMs = 60_000) {
  const said: string[] = [];
  const projector = new Projector(db, projection, {
    holder: randomUUID(),
    ttlMs,
    say: (text) => said.push(text),
  });
  await registerProjection(db, projection, (text) => said.push(text));
  return { projector, said };
}

function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

async function finish(projector: Projector): Promise<void> {
  await repeatWhile('rounds of the projection', async () => !('waitMs' in (await projector.round())));
}

async function run(...projections: Projection[]): Promise<Runner> {
  const workflows = [...new Set(projections.flatMap(({ from }) => from.map(({ workflow }) => workflow)))];
  const runner = await startRunner(db, { workflows, projections, pollMs: 20, leaseMs: 2000 });
  runners.push(runner);
  return runner;
}

describe('a projection', () => {
  it('applies every event once and in the order of its workflow, also those from before it was there', async () => {
    const workflow = notes();
    await write(workflow, 'a', 1, 2, 3);
    await write(workflow, 'b', 4);
    const { projector } = await stepRunner(project([workflow], { batch: 2 }));
    await finish(projector);
    await write(workflow, 'a', 5);
    await finish(projector);
    expect(await applied()).toEqual([
      { id: 'a', version: 1, n: 1 },
      { id: 'a', version: 2, n: 2 },
      { id: 'a', version: 3, n: 3 },
      { id: 'a', version: 4, n: 5 },
      { id: 'b', version: 1, n: 4 },
    ]);
    expect(await line()).toMatchObject({ state: 'running', lag: 0, workflows: [name] });
  });

  it('creates its tables before the first event, once', async () => {
    const workflow = notes();
    await write(workflow, 'a', 1);
    let inits = 0;
    const projection = project([workflow], {
      init: (tx) => {
        inits++;
        return tx.query(`create table public.${name} (n bigint)`);
      },
      apply: (tx, { data }) => tx.query(`insert into public.${name} values ($1)`, [data.n]),
    });
    await finish((await stepRunner(projection)).projector);
    await finish((await stepRunner(projection)).projector);
    expect(inits).toBe(1);
    expect(await many(db, `select n from public.${name}`)).toEqual([{ n: 1 }]);
  });

  it('reads several workflows in one order, only the selected events, upcast to the current version', async () => {
    const first = notes({ version: 1, name: `${name}-first` });
    const second = notes({ name: `${name}-second` });
    await write(first, 'a', 1);
    await write(second, 'b', 2, 3, 4);
    await write(first, 'a', -1, 5);
    const projection = project([
      { workflow: notes({ version: 2, name: `${name}-first` }), types: ['noted'] },
      { workflow: second, tags: ['even'] },
    ]);
    await finish((await stepRunner(projection)).projector);
    const rows = await many(db, 'select n from public.applied where projection = $1', [name]);
    expect(rows.map((row) => (row as { n: number }).n)).toEqual([100, 2, 4, 500]);
  });

  it('is updated by one of the runners, and by another one when that ends', async () => {
    const workflow = notes();
    const projection = project([workflow]);
    const first = await run(projection);
    await expect.poll(async () => (await line())?.holder).toBe(first.id);
    const second = await run(projection);
    await write(workflow, 'a', 1, 2);
    await expect.poll(applied).toHaveLength(2);
    runners.splice(runners.indexOf(first), 1);
    await first.stop(0);
    await write(workflow, 'a', 3);
    await expect.poll(applied).toHaveLength(3);
    expect((await line()).holder).toBe(second.id);
  });

  it('lets a runner that was taken over from write nothing', async () => {
    const workflow = notes();
    const projection = project([workflow]);
    await write(workflow, 'a', 1, 2);
    const stale = await stepRunner(projection);
    await finish(stale.projector); // it has applied both and holds the lease
    await db.query(
      `update range_lease set expires_at = clock() - interval '1 hour', renewed_at = clock() - interval '2 hours'
                    where id = (select lease_id from projection where name = $1)`,
      [name],
    );
    const fresh = await stepRunner(projection);
    await write(workflow, 'a', 3);
    await finish(fresh.projector);
    await write(workflow, 'a', 4);
    await expect(stale.projector.round()).rejects.toThrow('Another runner updates the projection now.');
    await finish(fresh.projector);
    expect((await applied()).map(({ n }) => n)).toEqual([1, 2, 3, 4]);
  });

  it('leaves events of a newer version to a runner that knows them', async () => {
    await write(notes({ version: 2 }), 'a', 1);
    const old = await stepRunner(project([notes({ version: 1 })]));
    await finish(old.projector);
    await old.projector.round();
    expect(old.said.filter((one) => one.includes('waits for a runner with newer code'))).toHaveLength(1);
    expect(old.projector.isDeferredToNewer).toBe(true);
    expect(await line()).toMatchObject({ holder: null, state: 'running', lag: 1 });
    await finish((await stepRunner(project([notes({ version: 2 })]))).projector);
    expect(await applied()).toHaveLength(1);
  });
});

describe('an event that cannot be applied', () => {
  it('stops only its projection, after the events before it; resumed, it continues there', async () => {
    const workflow = notes();
    let isMended = false;
    const projection = project([workflow], {
      apply: (_, { type }) => {
        if (type === 'bad' && !isMended) throw new Error('no such column');
      },
    });
    const other = defineProjection({ ...project([workflow]), name: `${name}-other` });
    await write(workflow, 'a', 1, 2, -1, 3);
    const runner = await run(projection, other);
    await expect.poll(async () => (await line()).state).toBe('parked');
    expect(await line()).toMatchObject({
      attempts: 5,
      error: `bad (event 3 of ${name} a): no such column`,
      atWorkflow: name,
      atId: 'a',
      atVersion: 3,
      lag: 2,
    });
    await write(workflow, 'b', 5);
    await expect.poll(() => runner.counts.events).toBe(5);
    // Both write the same rows: of the parked one two, of the other one all.
    await expect.poll(applied).toHaveLength(2 + 5);
    isMended = true;
    expect(await resumeProjection(db, name)).toBe(true);
    await expect.poll(applied).toHaveLength(5 + 5);
    expect(await line()).toMatchObject({ state: 'running', error: null, attempts: 0 });
    expect(await resumeProjection(db, name)).toBe(false);
  });

  it.each<[string, ProjectionDefinition['apply'], string]>([
    ['a statement that fails', (tx) => tx.query('select 1 / 0'), 'division by zero'],
    ['a value that is no error', () => Promise.reject('nonsense'), 'nonsense'],
  ])('by %s is reported with its cause, and nothing of it remains', async (_, apply, cause) => {
    const workflow = notes();
    await write(workflow, 'a', 1);
    const { projector } = await stepRunner(project([workflow], { apply }));
    await finish(projector);
    expect(await line()).toMatchObject({ attempts: 1, error: expect.stringContaining(cause) });
    expect(await applied()).toEqual([]);
  });

  it('is found although it swallows the error of its statement, which would undo the batch in silence', async () => {
    const workflow = notes();
    await write(workflow, 'a', 1, 2);
    const { projector } = await stepRunner(
      project([workflow], {
        apply: async (tx, { version }) => {
          if (version === 2) await tx.query('select 1 / 0').catch(() => {});
        },
      }),
    );
    await finish(projector);
    expect(await line()).toMatchObject({ attempts: 1, atVersion: 2 });
    expect(await applied()).toHaveLength(1);
  });

  it.each<[string, ProjectionDefinition['apply'], string]>([
    ['a statement that it does not wait for', (tx) => void tx.query('select 1 / 0'), 'division by zero'],
    [
      'a constraint that is checked at the end of the transaction',
      (tx) => tx.query(`insert into public.late values ('a'), ('a')`),
      'duplicate key',
    ],
    ['rollback', (tx) => tx.query('rollback'), 'begins or ends a transaction'],
    ['commit', (tx) => tx.query('select 1; /* now */ commit'), 'begins or ends a transaction'],
  ])('by %s is parked with its number, after what came before it', async (_, apply, cause) => {
    const workflow = notes();
    await write(workflow, 'a', 1, 2, 3);
    await run(project([workflow], { apply: (tx, event) => event.version === 2 && apply(tx, event) }));
    await expect.poll(async () => (await line()).state, { timeout: 10_000 }).toBe('parked');
    expect(await line()).toMatchObject({
      attempts: 5,
      atId: 'a',
      atVersion: 2,
      error: expect.stringContaining(cause),
    });
    expect(await applied()).toMatchObject([{ version: 1 }]);
  });

  describe('on a server that ends idle transactions', () => {
    let ending: Database;
    beforeAll(async () => {
      ending = await openDatabase({ databaseUrl: db.url, max: 2, endStandstillMs: 500 });
    });
    afterAll(() => ending.close());

    async function apply(projection: Projection, events: number): Promise<void> {
      await write(notes(), 'a', ...Array(events).keys());
      await registerProjection(db, projection, () => {});
      const options = { holder: randomUUID(), ttlMs: 60_000, limits: { idleMs: 400 }, say: () => {} };
      await finish(new Projector(ending, projection, options));
    }

    it.each<[string, ProjectionDefinition['apply']]>([
      ['waits without a statement', (tx) => setTimeout(700).then(() => tx.query('select'))],
      ['waits after its last statement', () => setTimeout(700)],
      ['blocks its thread', (tx) => [block(700), tx.query('select')]],
    ])('is counted when it %s', async (_, waits) => {
      const second: ProjectionDefinition['apply'] = (tx, event) => event.version === 2 && waits(tx, event);
      await apply(project([notes()], { apply: second }), 2);
      expect(await line()).toMatchObject({
        attempts: 1,
        atVersion: 2,
        error: expect.stringContaining('It sent no statement for 0.4 s'),
      });
      expect(await applied()).toMatchObject([{ version: 1 }]);
    });

    it('is applied when many without statements take longer than that together', async () => {
      const versions = new Set<number>();
      const slow: ProjectionDefinition['apply'] = (_, { version }) => setTimeout(150, versions.add(version));
      await apply({ ...project([notes()]), apply: slow }, 5);
      expect([...versions]).toEqual([1, 2, 3, 4, 5]);
      expect(await line()).toMatchObject({ attempts: 0, lag: 0 });
    });
  });

  it('is found when its transaction is another one at the end, although no text said so', async () => {
    const workflow = notes();
    await write(workflow, 'a', 1);
    const script = 'create function public.hides() returns int begin atomic select 1; end; rollback';
    const { projector } = await stepRunner(project([workflow], { apply: (tx) => tx.query(script) }));
    await finish(projector);
    expect(await line()).toMatchObject({
      attempts: 1,
      atVersion: 1,
      error: expect.stringContaining('begins or ends a transaction'),
      lag: 1,
    });
    expect(await applied()).toEqual([]);
  });

  it('whose statements change the search path is applied all the same', async () => {
    const workflow = notes();
    await write(workflow, 'a', 1, 2);
    const { projector } = await stepRunner(
      project([workflow], { apply: (tx) => tx.query('set local search_path to public') }),
    );
    await finish(projector);
    expect(await applied()).toHaveLength(2);
  });

  it('in init is reported as well', async () => {
    const workflow = notes();
    const { projector } = await stepRunner(
      project([workflow], { init: (tx) => tx.query('create nonsense') }),
    );
    await finish(projector);
    expect(await line()).toMatchObject({
      state: 'retrying',
      atVersion: null,
      error: expect.stringContaining('syntax'),
    });
  });
});

describe('a definition of a projection', () => {
  /** Two kinds, and a projection of one of them that stands at the end of the log. */
  async function ofTwo() {
    const [first, second] = [notes({ name: `${name}-first` }), notes({ name: `${name}-second` })];
    await write(second, 'b', 1, 2);
    await write(first, 'a', 3);
    const old = await stepRunner(project([first]));
    await finish(old.projector);
    return { first, second, old };
  }

  it('that reads another workflow now applies its events from then on, and says that older ones are missing', async () => {
    const { first, second } = await ofTwo();
    const { said, projector } = await stepRunner(project([first, second]));
    expect(said).toEqual([expect.stringContaining(`now reads ${name}-second too`)]);
    expect((await line()).workflows).toEqual([`${name}-first`, `${name}-second`]);
    expect(await one(db, 'select count(*) as n from projection where name = $1', [name])).toEqual({ n: 1 });
    await finish(projector);
    await write(second, 'b', 4);
    await write(second, 'c', 5, 6);
    await finish(projector);
    expect((await applied()).map(({ id, n }) => [id, n])).toEqual([
      ['a', 3],
      ['b', 4],
      ['c', 5],
      ['c', 6],
    ]);
    await rebuildProjection(db, name);
    await finish(projector);
    expect((await applied()).map(({ n }) => n)).toEqual([3, 1, 2, 4, 5, 6]);
  });

  it('that reads another workflow before the first event was read has all of its events', async () => {
    const [first, second] = [notes({ name: `${name}-first` }), notes({ name: `${name}-second` })];
    await write(second, 'b', 1, 2);
    await registerProjection(db, project([first]), () => {});
    const { said, projector } = await stepRunner(project([first, second]));
    await finish(projector);
    expect(said).toEqual([`The projection ${name} is updated by this runner.`]);
    expect(await applied()).toHaveLength(2);
  });

  it('that reads another workflow takes the projection from a runner without it, and no event of that is lost', async () => {
    const { first, second, old } = await ofTwo();
    const fresh = await stepRunner(project([first, second]));
    await write(second, 'b', 4);
    await write(first, 'a', 5);
    await finish(old.projector);
    await finish(old.projector);
    expect(old.said.filter((text) => text.includes('is not updated by this runner'))).toEqual([
      expect.stringContaining(`${name}-second`),
    ]);
    await finish(fresh.projector);
    expect((await applied()).map(({ n }) => n)).toEqual([3, 5, 4]);
  });

  it('with fewer workflows changes nothing, is not applied, and says so', async () => {
    const { first, second } = await ofTwo();
    const larger = await stepRunner(project([first, second]));
    await finish(larger.projector);
    await larger.projector.release();
    const smaller = await stepRunner(project([first]));
    await write(first, 'a', 4);
    await write(second, 'b', 5);
    await finish(smaller.projector);
    expect(await line()).toMatchObject({ holder: null, workflows: [`${name}-first`, `${name}-second`] });
    expect(smaller.said).toEqual([expect.stringContaining('projections remove')]);
    await finish(larger.projector);
    expect((await applied()).map(({ n }) => n)).toEqual([3, 4, 5]);
  });

  it.each(['claims', 'holds'])(
    'that is replaced while a runner %s the projection is not applied',
    async (does) => {
      const { first, second, old } = await ofTwo();
      await old.projector.release();
      let isReplaced = does === 'holds'; // that runner has to get the projection first
      const slow: Database = {
        ...db,
        query: async (sql, ...rest) => {
          const answer = await db.query<never>(sql, ...rest);
          if (sql.includes('from projection where name') && !isReplaced) {
            isReplaced = true; // between reading the definition and acting on it
            await registerProjection(db, project([first, second]), () => {});
            await write(second, 'b', 4);
            await write(first, 'a', 5);
          }
          return answer;
        },
      };
      const options = { holder: randomUUID(), ttlMs: 60_000, say: () => {} };
      const stale = new Projector(slow, project([first]), options);
      if (does === 'holds') await finish(stale);
      expect((await line()).holder).toBe(does === 'holds' ? options.holder : null);
      isReplaced = false;
      await stale.round().catch(() => stale.reread());
      expect(isReplaced).toBe(true);
      await finish(stale);
      await finish((await stepRunner(project([first, second]))).projector);
      expect((await applied()).map(({ n }) => n)).toEqual([3, 5, 4]);
    },
  );
});
