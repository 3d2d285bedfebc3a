/** One workflow whose code or data is bad, among others of its kind in one partition: the others must not notice. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { type Database, many } from '../../db/database.ts';
import { openDatabase } from '../../db/pool.ts';
import { appendEvents } from '../../events/append-store.ts';
import { type CommandResult, handleCommands } from '../commands/handle.ts';
import { parkedWorkflows } from '../control/parked.ts';
import { type AnyWorkflow, defineWorkflow } from '../define.ts';
import { act, type Effect, after as later, subscribe, tell } from '../effects.ts';
import { addMessages } from '../messages/message-store.ts';
import { type Runner, type RunnerOptions, startRunner } from '../runner/runner.ts';
import type { Typed } from '../typed.ts';

let db: Database & { url: string };
let name = '';
let tests = 0;
const runners: Runner[] = [];
beforeAll(async () => {
  db = await freshDatabase(12);
});
beforeEach(() => {
  name = `kind${tests++}`;
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
});
afterAll(() => db.close());

const tenant = 'default';
const OTHERS = ['a', 'b', 'c', 'd'];

type Any = Typed & Readonly<Record<string, unknown>>;

/** Every command is an event of its type; `react` and the rest may be replaced. */
function kind(more: Partial<AnyWorkflow> = {}): AnyWorkflow {
  return defineWorkflow<{ n: number }, Any, Any>({
    name,
    initial: () => ({ n: 0 }),
    decide: (_, command) => command,
    evolve: ({ n }) => ({ n: n + 1 }),
    ...more,
  });
}

async function start(
  workflows: readonly AnyWorkflow[],
  options: Partial<RunnerOptions> = {},
): Promise<Runner> {
  const runner = await startRunner(db, {
    workflows,
    leaseMs: 60_000,
    pollMs: 20,
    parkAfter: 2,
    partition: { index: 0, total: 1 },
    ...options,
  });
  runners.push(runner);
  return runner;
}

const send = (workflow: AnyWorkflow, ids: readonly string[], command: object): Promise<CommandResult[]> =>
  handleCommands(
    db,
    workflow,
    ids.map((id) => ({ tenant, id, command: command as Typed })),
  );

async function idsWith(type: string): Promise<string[]> {
  const rows = await many<{ id: string }>(
    db,
    `select distinct id from event join workflow on key = workflow_key where workflow.name like $1 and type = $2 order by id`,
    [`${name}%`, type],
  );
  return rows.map(({ id }) => id);
}

/** Until all of them have an event of this type, within ten seconds. */
const haveEvent = (type: string, ids: readonly string[]) =>
  waitFor(
    db,
    `the event ${type} of ${ids}`,
    async () => {
      const have = await idsWith(type);
      return ids.every((id) => have.includes(id)) || null;
    },
    10_000,
  );

const parkedAs = (id: string) =>
  waitFor(
    db,
    `${id} to be parked`,
    async () => {
      const all = (
        await Promise.all([name, `${name}-to`].map((workflow) => parkedWorkflows(db, { tenant, workflow })))
      ).flat();
      return all.find((one) => one.id === id)?.error ?? null;
    },
    20_000,
  );

describe('a history that can no longer be folded', () => {
  const strict = {
    evolve: ({ n }: { n: number }, event: Any) => {
      if (event.type === 'legacy') throw new Error('unknown event legacy');
      return { n: n + 1 };
    },
  };
  const ring: Partial<AnyWorkflow> = {
    react: (event: Any) => (event.type === 'set' ? [later(1, { type: 'rang' })] : []),
  };

  it('delays no timer and no message of the others, and its own are parked with the reason', async () => {
    await send(kind(ring), ['bad', ...OTHERS], { type: 'set' });
    await send(kind(ring), ['bad'], { type: 'legacy' });
    await start([kind({ ...ring, ...strict })]);
    await haveEvent('rang', OTHERS);
    expect(await parkedAs('bad')).toMatch(
      new RegExp(
        `^evolve of ${name} bad failed on event 2 \\(legacy\\): unknown event legacy\\..*seine workflows retry ${name} bad$`,
      ),
    );
    expect(await idsWith('rang')).toEqual(OTHERS);
  });

  it('fails the commands to it, and no other of the same batch', async () => {
    await send(kind(), ['bad'], { type: 'legacy' });
    const outcomes = await send(kind(strict), ['a', 'bad', 'b'], { type: 'x' });
    expect(outcomes).toMatchObject([
      { outcome: 'accepted' },
      {
        outcome: 'failed',
        error: { message: expect.stringContaining(`evolve of ${name} bad failed on event 1`) },
      },
      { outcome: 'accepted' },
    ]);
  });

  it('stops its own reactions, and not those of the others', async () => {
    const ships = { react: () => act('ship'), actions: { ship: async () => 'ok' } };
    const old = await start([kind({ react: () => [] })]);
    await send(kind(), ['bad'], { type: 'legacy' });
    await waitFor(db, 'the old code to react', async () => (old.counts.events > 0 ? true : null), 10_000);
    await old.stop(0);
    await start([
      kind({ ...ships, ...strict, react: (event: Any) => (event.type === 'x' ? act('ship') : []) }),
    ]);
    await send(kind(), ['bad', ...OTHERS], { type: 'x' });
    await haveEvent('ship.done', OTHERS);
    expect(await parkedAs('bad')).toContain(`evolve of ${name} bad failed on event 1 (legacy)`);
  });
});

describe('an event that is stored', () => {
  it('is folded and reacted to however deeply it is nested: no deployment could correct it', async () => {
    let result: unknown = 'bottom';
    for (let n = 0; n < 3000; n++) result = [result];
    const address = { tenant, workflow: name, id: 'a' };
    const events = [{ type: 'work.done', data: { result } }];
    await appendEvents(db, [{ ...address, key: null, expected: 0, events }]);
    await start([
      kind({
        react: (event: Any) => (event.type === 'work.done' ? act('ship') : []),
        actions: { ship: async () => 'ok' },
      }),
    ]);
    await haveEvent('ship.done', ['a']);
  });
});

describe('effects that cannot be written', () => {
  const longId = Array.from({ length: 3000 }, (_, n) => String.fromCharCode(33 + ((n * 7919) % 90))).join('');
  let deep: unknown = 'bottom';
  for (let n = 0; n < 3000; n++) deep = [deep];
  const to = (id: unknown) => tell({ name: 'audit' }, id as string, { type: 'note' });
  const bad: readonly (readonly [string, () => unknown])[] = [
    ['an id that is undefined', () => to(undefined)],
    ['an id that is a number', () => to(42)],
    ['an id with a zero', () => to('a\0b')],
    ['an id that ends in the middle of a character', () => to('a\ud800')],
    ['an id that is too long', () => to(longId)],
    ['a timer without a name', () => later(1000, {} as Typed)],
    ['a subscription to a tag that is null', () => subscribe('x', { tags: [null as never] })],
    ['40,000 actions', () => Array.from({ length: 40_000 }, () => act('ship'))],
    ['a command with 3,000 levels', () => tell({ name: 'audit' }, 'x', { type: 'x', deep } as Typed)],
  ];

  it.each(bad)('park their own workflow alone: %s', async (_, effect) => {
    const workflow = kind({
      react: (event: Any) => (event.type === 'x' ? (event.bad ? (effect() as Effect) : act('ship')) : []),
      actions: { ship: async () => 'ok' },
    });
    await send(workflow, ['bad'], { type: 'x', bad: true });
    await send(workflow, OTHERS, { type: 'x' });
    await start([workflow]);
    await haveEvent('ship.done', OTHERS);
    expect(await parkedAs('bad')).toMatch(
      new RegExp(
        `^react of ${name} bad failed on event 1 \\(x\\): .*Then run: seine workflows retry ${name} bad$`,
      ),
    );
  });
});

describe('events that cannot be written', () => {
  let deep: unknown = 'bottom';
  for (let n = 0; n < 3000; n++) deep = [deep];
  const bad: readonly (readonly [string, object])[] = [
    ['a BigInt', { n: 10n }],
    ['300 KB', { text: 'x'.repeat(300_000) }],
    ['a zero', { text: 'a\0b' }],
    ['a lone surrogate', { text: 'a\ud800' }],
    ['a tag with a zero', { tag: 'a\0b' }],
    ['a tag with a lone surrogate', { tag: 'a\ud800' }],
    ['a type with a zero', { type: 'a\0b' }],
    ['3,000 levels', { deep }],
  ];

  it.each(bad)('delay no message of the others: %s', async (_, body) => {
    const target = kind({
      decide: (_state: unknown, { bad }: Any) => ({ type: 'got', ...(bad === true ? body : {}) }),
      tags: (event: Any) => (event.tag ? [event.tag as string] : []),
    });
    const messages = ['bad', ...OTHERS].map(
      (id) =>
        ({ tenant, workflow: name, id, kind: 'command', body: { type: 'get', bad: id === 'bad' } }) as const,
    );
    await addMessages(db, messages);
    await start([target]);
    await haveEvent('got', OTHERS);
    expect(await parkedAs('bad')).toContain(`${name} bad`);
  });

  it('fail alone when many commands are sent together', async () => {
    const target = kind({ decide: (_: unknown, { text }: Any) => ({ type: 'got', text }) });
    const texts = ['good', 'x'.repeat(300_000), 'fine'];
    const commands = texts.map((text, n) => ({ tenant, id: `${n}`, command: { type: 'get', text } }));
    expect((await handleCommands(db, target, commands)).map(({ outcome }) => outcome)).toEqual([
      'accepted',
      'failed',
      'accepted',
    ]);
  });
});

describe('data that only the database refuses', () => {
  let strict: Database & { url: string };
  beforeAll(async () => {
    strict = await freshDatabase(6);
    await strict.query(`
      alter table event add check (data->>'text' is distinct from 'poison');
      alter table message add check (body->>'text' is distinct from 'poison');
      alter table snapshot add check (state->>'text' is distinct from 'poison')`);
  });
  afterAll(() => strict.close());
  const ids = Array.from({ length: 9 }, (_, n) => `${n}`);
  const texts = (id: string) => (id === '6' ? 'poison' : 'fine');

  it('fails the one command that leads to it', async () => {
    const workflow = kind();
    const commands = ids.map((id) => ({ tenant, id, command: { type: 'x', text: texts(id) } }));
    const outcomes = await handleCommands(strict, workflow, commands);
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(8);
    expect(outcomes[6]).toMatchObject({
      outcome: 'failed',
      error: { message: `The database rejected an event of ${name} 6: SQLSTATE 23514.` },
    });
  });

  it('parks the one message that leads to it', async () => {
    const workflow = kind({
      decide: (_: unknown, { id }: Any) => ({ type: 'got', text: texts(id as string) }),
    });
    await addMessages(
      strict,
      ids.map((id) => ({ tenant, workflow: name, id, kind: 'command', body: { type: 'get', id } }) as const),
    );
    const said: string[] = [];
    const runner = await startRunner(strict, {
      workflows: [workflow],
      leaseMs: 60_000,
      pollMs: 20,
      say: (sentence) => said.push(sentence),
    });
    runners.push(runner);
    const parked = async () => (await parkedWorkflows(strict, { tenant, workflow: name }))[0] ?? null;
    expect(await waitFor(strict, 'a parked message', parked, 20_000)).toMatchObject({
      id: '6',
      what: 'message',
    });
    expect(await many(strict, 'select from event where workflow = $1', [name])).toHaveLength(8);
    expect(said).toEqual([
      expect.stringMatching(/ 6: message \d+ \(command get\) is parked: The database rejected/),
    ]);
  });

  it('parks the one workflow whose reaction asks for it, at that event', async () => {
    const workflow = kind({
      react: (event: Any) => tell({ name: 'audit' }, 'a', { type: 'note', text: event.note } as Typed),
    });
    const commands = ids.flatMap((id) =>
      ['fine', texts(id), 'fine'].map((note) => ({ tenant, id, command: { type: 'x', note } })),
    );
    await handleCommands(strict, workflow, commands);
    runners.push(
      await startRunner(strict, { workflows: [workflow], leaseMs: 60_000, pollMs: 20, parkAfter: 2 }),
    );
    const parked = async () => (await parkedWorkflows(strict, { tenant, workflow: name }))[0] ?? null;
    expect(await waitFor(strict, 'a parked reaction', parked, 20_000)).toMatchObject({
      id: '6',
      version: 2,
      error: expect.stringMatching(
        /^react of \S+ 6 failed on event 2 \(x\): the database rejected its effects/,
      ),
    });
    const delivered = `select from message where workflow = 'audit' and body->>'text' = 'fine'`;
    await waitFor(strict, 'the others', async () =>
      (await many(strict, delivered)).length === 8 * 3 + 1 ? true : null,
    );
  });

  it('costs a state its snapshot, and nothing else', async () => {
    const workflow = kind({ evolve: (_: unknown, { note }: Any) => ({ text: note }), snapshotEvery: 1 });
    const commands = ids.map((id) => ({ tenant, id, command: { type: 'x', note: texts(id) } }));
    const outcomes = await handleCommands(strict, workflow, commands);
    expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    const snapshots = 'select from snapshot join workflow on key = workflow_key where name = $1';
    expect(await many(strict, snapshots, [name])).toHaveLength(8);
  });
});

describe('a slow decide', () => {
  const burn = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };

  it('holds no transaction open, whatever many messages take together', async () => {
    const strict = await openDatabase({ databaseUrl: db.url, max: 6, endStandstillMs: 300 });
    const target = kind({
      decide: () => {
        burn(10);
        return { type: 'got' };
      },
    });
    const ids = Array.from({ length: 80 }, (_, n) => `t${n}`);
    await addMessages(
      db,
      ids.map((id) => ({ tenant, workflow: name, id, kind: 'command', body: { type: 'get' } }) as const),
    );
    const runner = await startRunner(strict, { workflows: [target], leaseMs: 60_000, pollMs: 20 });
    try {
      await haveEvent('got', ids);
    } finally {
      await runner.stop(0);
      await strict.close();
    }
  });
});

describe('messages of one workflow', () => {
  it('keep their order when one of them fails for a moment', async () => {
    let hiccups = 2;
    const target = kind({
      decide: (_: unknown, command: Any) => {
        if (command.v === 3 && hiccups-- > 0) throw new Error('a hiccup');
        return { type: 'got', v: command.v };
      },
    });
    const ids = ['a', 'b'];
    const messages = [1, 2, 3, 4, 5].flatMap((v) =>
      ids.map((id) => ({ tenant, workflow: name, id, kind: 'command', body: { type: 'get', v } }) as const),
    );
    await addMessages(db, messages);
    await start([target]);
    const order = (id: string) =>
      many<{ v: number }>(
        db,
        `select (data->>'v')::integer as v from event join workflow on key = workflow_key where name = $1 and id = $2 order by event.version`,
        [name, id],
      );
    for (const id of ids) {
      await waitFor(
        db,
        `five events of ${id}`,
        async () => ((await order(id)).length === 5 ? true : null),
        20_000,
      );
      expect((await order(id)).map(({ v }) => v)).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it('continue without one that is parked', async () => {
    const target = kind({
      decide: (_: unknown, command: Any) => {
        if (command.v === 2) throw new Error('never');
        return { type: `got-${command.v}` };
      },
    });
    await addMessages(
      db,
      [1, 2, 3].map(
        (v) => ({ tenant, workflow: name, id: 'a', kind: 'command', body: { type: 'get', v } }) as const,
      ),
    );
    await start([target]);
    await haveEvent('got-1', ['a']);
    expect(await parkedAs('a')).toContain(`decide of ${name} a failed on the command get: never.`);
    await haveEvent('got-3', ['a']);
  });
});

describe('an evolve that changes the state in place', () => {
  const inPlace: Partial<AnyWorkflow> = {
    evolve: (state: { n: number }) => {
      state.n++;
      return state;
    },
  };

  it('fails at its first event, and names the remedy', async () => {
    const [outcome] = await send(kind(inPlace), ['a'], { type: 'x' });
    expect(outcome).toMatchObject({
      outcome: 'failed',
      error: {
        message: expect.stringMatching(/^evolve of \S+ a failed on event 1 \(x\): it mutated its argument/),
        hint: expect.stringContaining('Return a new object'),
      },
    });
  });

  it('never gives a reaction that is tried again another state', async () => {
    const reacted: number[] = [];
    await send(kind(), ['a'], { type: 'x' });
    await start([
      kind({ ...inPlace, react: (_: unknown, { n }: { n: number }) => void reacted.push(n) as never }),
    ]);
    expect(await parkedAs('a')).toContain('it mutated its argument');
    expect(reacted).toEqual([]);
  });
});

describe('a command that is accepted at the very last try', () => {
  it('is accepted, and one that is always overtaken fails alone', async () => {
    const workflow = kind();
    let appends = 0;
    const meddled = (refused: number): Database => ({
      ...db,
      query: async (sql, params, statement) =>
        statement?.startsWith('append') && ++appends <= refused
          ? { rows: [], rowCount: 0 }
          : db.query(sql, params, statement),
    });
    const command = { tenant, id: 'a', command: { type: 'x' } };
    expect(await handleCommands(meddled(50), workflow, [command])).toMatchObject([{ outcome: 'accepted' }]);
    appends = 0;
    expect(await handleCommands(meddled(1000), workflow, [command])).toMatchObject([
      { outcome: 'failed', error: { kind: 'conflict', retry: true } },
    ]);
  });
});
