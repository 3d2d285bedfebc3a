/**
 * Every function of a workflow does everything wrong that there is, each in a workflow of its own, all of them in one partition together with
 * healthy ones. Whatever it is: the healthy ones complete, the bad one is parked or its command fails, with a message that names the
 * workflow, its id, what it was about and what to do, and nothing is left that waits.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { repeatWhile } from '../../../test/support/wait-for.ts';
import { settledLog } from '../../../test/support/workflows/settled-log.ts';
import { SeineError } from '../../base/errors.ts';
import { type Database, many } from '../../db/database.ts';
import type { CommandResult } from '../commands/command.ts';
import { handleCommands } from '../commands/handle.ts';
import { parkedWorkflows } from '../control/parked.ts';
import { type AnyWorkflow, defineWorkflow, type Schema } from '../define.ts';
import { act, subscribe, tell } from '../effects.ts';
import { deliverDue } from '../messages/deliver.ts';
import { addMessages } from '../messages/message-store.ts';
import { PartitionAssignment } from '../partitions/partition-assignment.ts';
import { Reactor } from '../reactions/reactor.ts';
import type { Typed } from '../typed.ts';
import { BEHAVIOURS, type Behaviour, type BehaviourContext, MAX_MS } from './bad-behaviour.fixture.ts';

let db: Database & { url: string };
let advance: (ms: number) => Promise<void>;
beforeAll(async () => {
  db = await freshDatabase(6);
  advance = await movableClock(db);
});
afterAll(() => db.close());

const tenant = 'default';
const MINE = { parts: [0], total: 1 };
const PARK_AFTER = 2;
const HEALTHY = ['healthy-1', 'healthy-2', 'healthy-3'];

type Callback =
  | 'initial'
  | 'decide'
  | 'evolve'
  | 'react'
  | 'upcast'
  | 'receive'
  | 'tags'
  | 'command schema'
  | 'event schema';
type Any = Typed & Readonly<Record<string, unknown>>;

/** These do no harm where they occur: the workflow completes. */
const STATES = [
  ...['null', 'true', 'a number', 'text', 'an empty array', 'an array of null', 'an empty object'],
  ...['a type that is a number', '40,000 of them'],
].map((value) => `returns ${value}`);
const UNSTORED = [
  ...['a zero', 'a lone surrogate', 'a key with a zero', 'a key with a lone surrogate', '300 KB'],
].map((value) => `carries ${value}`);
const HARMLESS: Readonly<Record<Callback, readonly string[]>> = {
  initial: [...STATES, ...UNSTORED, 'mutates what it is given'],
  decide: ['returns an empty array'],
  evolve: [...STATES, ...UNSTORED],
  react: ['returns undefined', 'returns null', 'returns NaN', 'returns an empty array'],
  upcast: UNSTORED,
  receive: ['returns undefined', 'returns null'],
  tags: ['returns an empty array'],
  'command schema': ['returns a promise', 'mutates what it is given'],
  'event schema': ['returns a promise', 'mutates what it is given'],
};

function isHarmless(callback: Callback, { name }: Behaviour, isLimited: boolean): boolean {
  return name === 'is slow' ? !isLimited : HARMLESS[callback].includes(name);
}

/** A workflow of which one function behaves as the command or the event says by its number; -1 is healthy. */
function workflowWith(name: string, bad: Callback | null): AnyWorkflow {
  const at = <T>(callback: Callback, n: unknown, scene: BehaviourContext): T => {
    const behaviour = callback === bad ? BEHAVIOURS[n as number] : undefined;
    return (behaviour ? behaviour.act(scene) : scene.good()) as T;
  };
  const schema = (callback: Callback): Schema<Any> => ({
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value) =>
        at(callback, (value as Any).bad, {
          good: () => ({ value }),
          carry: (payload) => ({ value: { ...(value as Any), payload } }),
          given: [value],
        }),
    },
  });
  return defineWorkflow<unknown, Any, Any>({
    name,
    version: 2,
    snapshotEvery: 1,
    initial: () =>
      at('initial', badInitial, { good: () => ({ n: 0 }), carry: (payload) => ({ payload }), given: [] }),
    decide: (state, command) => {
      const good = () => ({
        type: 'did',
        bad: command.bad,
        ...('payload' in command && { payload: command.payload }),
      });
      const carry = (payload: unknown) => ({ ...good(), payload });
      return at('decide', command.bad, { good, carry, given: [state] });
    },
    evolve: (state, event) =>
      at('evolve', event.bad, {
        good: () => ({ n: 1 }),
        carry: (payload) => ({ payload }),
        given: [state, event],
      }),
    react: (event, state) =>
      at('react', event.bad, {
        good: () => [act('ship')],
        carry: (payload) => [act('ship', { payload })],
        given: [event, state],
      }),
    actions: { ship: async () => 'ok' },
    receive: (event) => {
      const good = () => ({ type: 'go', bad: event.data.bad });
      const carry = (payload: unknown) => ({ ...good(), payload });
      return at('receive', event.data.bad, { good, carry, given: [event] });
    },
    tags: (event) =>
      at('tags', event.bad, { good: () => ['tag'], carry: (payload) => [payload], given: [event] }),
    upcast: {
      1: (event) =>
        at('upcast', event.bad, {
          good: () => ({ ...event }),
          carry: (payload) => ({ ...event, payload }),
          given: [event],
        }),
    },
    schema: { command: schema('command schema'), event: schema('event schema'), timeout: 30 },
  });
}

/** `initial` is given nothing that it could go by. */
let badInitial = -1;

const ids = [...HEALTHY, ...BEHAVIOURS.map((_, n) => `bad-${n}`)];
/** The healthy ones are among the others, not before them. */
const shuffled = ids.toSorted((a, b) => a.length - b.length || a.localeCompare(b)).reverse();
const badOf = (id: string) => (id.startsWith('bad-') ? Number(id.slice(4)) : -1);

async function eventsOf(name: string, type: string): Promise<string[]> {
  const rows = await many<{ id: string }>(
    db,
    'select id from event join workflow on key = workflow_key where name = $1 and type = $2 order by id',
    [name, type],
  );
  return rows.map(({ id }) => id);
}

/** Until nothing is due any more: every failure is tried again when its pause is over. */
async function deliverAll(workflow: AnyWorkflow): Promise<void> {
  const pace = { parkAfter: PARK_AFTER, slowMs: MAX_MS, maxMs: MAX_MS };
  for (let tries = 0; tries < PARK_AFTER; tries++) {
    await repeatWhile('deliveries', async () => (await deliverDue(db, workflow, MINE, pace)) > 0);
    await advance(120_000);
  }
}

async function reactToAll(workflow: AnyWorkflow): Promise<void> {
  const partition = { index: 0, total: 1 };
  const assignment = new PartitionAssignment(db, {
    workflow: workflow.name,
    version: 1,
    holder: randomUUID(),
    ttlMs: 1e9,
    partition,
  });
  const onParked = () => {};
  const reactor = new Reactor(db, workflow, assignment, {
    maxEvents: 1000,
    parkAfter: PARK_AFTER,
    maxStates: 100,
    onParked,
  });
  await settledLog(db);
  await assignment.sync();
  for (let tries = 0; tries < PARK_AFTER; tries++) {
    await repeatWhile('reactions', async () => (await reactor.round()).events > 0);
    await advance(120_000);
  }
}

async function errorsOf(name: string): Promise<Map<string, string>> {
  const parked = await parkedWorkflows(db, { tenant, workflow: name }, 1000);
  return new Map(parked.map(({ id, error }) => [id, error]));
}

function saysWhatAndWhatNext(error: string | undefined, name: string, id: string): void {
  expect(error).toContain(`${name} ${id}`);
  expect(error).toMatch(/event \d+ \(did\)|event 1 \(said\)|command go|event did|command to|a new workflow/);
  expect(error).toMatch(new RegExp(`\\w.* Then run: seine workflows retry ${name} ${id}$`));
  expect(error!.length).toBeLessThan(1000);
}

/** The combinations, for the count at the end. */
let combinations = 0;

function each(
  what: string,
  callback: Callback,
  run: () => Promise<(behaviour: Behaviour, id: string) => void>,
) {
  describe(`${callback}, ${what},`, () => {
    let inspect: (behaviour: Behaviour, id: string) => void;
    beforeAll(async () => {
      inspect = await run();
    });
    it.each(BEHAVIOURS.map((behaviour, n) => [behaviour.name, behaviour, `bad-${n}`] as const))(
      '%s',
      (_, behaviour, id) => {
        combinations++;
        inspect(behaviour, id);
      },
    );
  });
}

const slug = (text: string) => text.replaceAll(' ', '-');

describe('many commands sent together', () => {
  for (const callback of ['decide', 'evolve', 'tags', 'command schema', 'event schema'] as const) {
    each('sent', callback, async () => {
      const name = `sent-${slug(callback)}`;
      const commands = shuffled.map((id) => ({ tenant, id, command: { type: 'go', bad: badOf(id) } }));
      const all = await handleCommands(db, workflowWith(name, callback), commands);
      const outcomes = new Map<string, CommandResult>(shuffled.map((id, n) => [id, all[n]!]));
      const written = await eventsOf(name, 'did');
      return (behaviour, id) => {
        for (const healthy of HEALTHY) expect(written).toContain(healthy);
        const outcome = outcomes.get(id)!;
        if (isHarmless(callback, behaviour, false))
          return expect(outcome).toMatchObject({ outcome: 'accepted' });
        expect(written).not.toContain(id);
        if (outcome.outcome !== 'failed') throw new Error(`It was ${outcome.outcome}.`);
        const { message, hint } = outcome.error as SeineError;
        expect(outcome.error).toBeInstanceOf(SeineError);
        expect(message).toMatch(new RegExp(`${name} ${id}\\b.*`));
        expect(message).toMatch(/command go|event 1 \(did\)|event did|command to/);
        expect(hint).toMatch(/\w/);
      };
    });
  }
});

describe('messages delivered together', () => {
  for (const callback of ['decide', 'evolve', 'tags', 'command schema', 'event schema', 'receive'] as const) {
    each('delivered', callback, async () => {
      const name = `delivered-${slug(callback)}`;
      const workflow = workflowWith(name, callback);
      await addMessages(
        db,
        shuffled.map((id) => messageTo(name, id, callback === 'receive')),
      );
      await deliverAll(workflow);
      return afterDelivery(callback, name);
    });
  }

  it('by a bad initial fail alone, beside workflows that have begun', async () => {
    const name = 'delivered-initial';
    const workflow = workflowWith(name, 'initial');
    await handleCommands(
      db,
      workflow,
      HEALTHY.map((id) => ({ tenant, id, command: { type: 'go', bad: -1 } })),
    );
    for (const [n, behaviour] of BEHAVIOURS.entries()) {
      combinations++;
      badInitial = n;
      await addMessages(
        db,
        [`bad-${n}`, ...HEALTHY].map((id) => messageTo(name, id, false)),
      );
      await deliverAll(workflow);
      badInitial = -1;
      const begun = (await eventsOf(name, 'did')).filter((id) => HEALTHY.includes(id));
      expect(begun, behaviour.name).toHaveLength(HEALTHY.length * (n + 2));
      const error = (await errorsOf(name)).get(`bad-${n}`);
      if (isHarmless('initial', behaviour, false)) expect(error, behaviour.name).toBe(undefined);
      else saysWhatAndWhatNext(error, name, `bad-${n}`);
    }
  });
});

function messageTo(workflow: string, id: string, isEvent: boolean) {
  const bad = badOf(id);
  const said = {
    workflow: 'speaker',
    id: 's',
    version: 1,
    at: new Date(0),
    type: 'said',
    data: { bad },
    tags: [],
  };
  return isEvent
    ? ({ tenant, workflow, id, kind: 'event', body: said } as const)
    : ({ tenant, workflow, id, kind: 'command', body: { type: 'go', bad } } as const);
}

async function afterDelivery(callback: Callback, name: string) {
  const written = await eventsOf(name, 'did');
  const errors = await errorsOf(name);
  const waiting = await many(db, 'select id from message where workflow = $1 and parked_at is null', [name]);
  return (behaviour: Behaviour, id: string) => {
    for (const healthy of HEALTHY) expect(written).toContain(healthy);
    expect(waiting).toEqual([]);
    if (isHarmless(callback, behaviour, true)) return expect(errors.get(id)).toBe(undefined);
    expect(written).not.toContain(id);
    saysWhatAndWhatNext(errors.get(id), name, id);
  };
}

describe('events reacted to together', () => {
  for (const callback of ['evolve', 'react', 'upcast'] as const) {
    each('reacted to', callback, async () => {
      const name = `reacted-${callback}`;
      const commands = shuffled.map((id) => ({ tenant, id, command: { type: 'go', bad: badOf(id) } }));
      await handleCommands(db, workflowWith(name, null), commands);
      await asVersionOne(name);
      await reactToAll(workflowWith(name, callback));
      const asked = await many<{ id: string }>(
        db,
        'select workflow.id from action join workflow on workflow.key = workflow_key where workflow.name = $1',
        [name],
      );
      const errors = await errorsOf(name);
      const waiting = await unreacted(name);
      return (behaviour, id) => {
        for (const healthy of HEALTHY) expect(asked).toContainEqual({ id: healthy });
        expect(waiting).toEqual([]);
        if (isHarmless(callback, behaviour, false)) return expect(errors.get(id)).toBe(undefined);
        expect(asked).not.toContainEqual({ id });
        saysWhatAndWhatNext(errors.get(id), name, id);
      };
    });
  }
});

/** As if an older version of the workflow had written them; without snapshots, so that they are folded. */
async function asVersionOne(name: string): Promise<void> {
  await db.query('update event set schema = 1 where workflow = $1', [name]);
  await db.query('delete from snapshot using workflow where key = workflow_key and name = $1', [name]);
}

/** Neither reacted to nor parked. */
function unreacted(name: string): Promise<unknown[]> {
  return many(
    db,
    `select id from workflow left join reaction on workflow_key = key
     where name = $1 and parked_at is null and coalesce(reaction.version, 0) < workflow.version`,
    [name],
  );
}

describe('names and ids in effects', () => {
  const names: readonly (readonly [string, unknown])[] = [
    ['undefined', undefined],
    ['null', null],
    ['a number', 42],
    ['an object', {}],
    ['a symbol', Symbol('s')],
    ['with a zero', 'a\0b'],
    ['a lone surrogate', 'a\ud800'],
    ['too long', 'ü'.repeat(501)],
  ];
  const effects: Readonly<Record<string, (name: never) => unknown>> = {
    'the id of a tell': (name) => tell({ name: 'audit' }, name, { type: 'note' }),
    'the workflow of a tell': (name) => tell({ name }, 'a', { type: 'note' }),
    'the type of a command': (type) => tell({ name: 'audit' }, 'a', { type }),
    'the name of an action': (name) => act(name),
    'the name of an action to cancel': (action) => ({ do: 'cancel action', action }),
    'the name of a timer': (name) => ({
      do: 'set timer',
      name,
      command: { type: 'x' },
      when: { afterMs: 1 },
    }),
    'the name of a timer to cancel': (name) => ({ do: 'cancel timer', name }),
    'the name of a subscription': (name) => subscribe(name, {}),
    'the name of a subscription to end': (name) => ({ do: 'unsubscribe', name }),
    'a tag that is subscribed to': (tag) => subscribe('s', { tags: [tag] }),
  };
  const cases = Object.keys(effects).flatMap((what) =>
    names.map(([how, value]) => [what, how, value] as const),
  );
  const idOf = (n: number) => `bad-${n}`;
  let errors: Map<string, string>;
  let asked: { id: string }[];

  beforeAll(async () => {
    const workflow = defineWorkflow<null, Any, Any>({
      name: 'naming',
      initial: () => null,
      decide: (_, command) => command,
      evolve: () => null,
      react: (event) => {
        const [what, , value] = cases[event.n as number] ?? [];
        return (what ? effects[what]!(value as never) : act('ship')) as never;
      },
      actions: { ship: async () => 'ok' },
    });
    const commands = [...cases.keys(), -1].map((n) => ({
      tenant,
      id: n < 0 ? 'healthy' : idOf(n),
      command: { type: 'go', n },
    }));
    await handleCommands(db, workflow, commands as never);
    await reactToAll(workflow);
    errors = await errorsOf('naming');
    asked = await many(
      db,
      `select workflow.id from action join workflow on workflow.key = workflow_key where workflow.name = 'naming'`,
    );
  });

  it.each(cases.map(([what, how], n) => [what, how, n] as const))('%s: %s', (_what, _how, n) => {
    combinations++;
    expect(asked).toEqual([{ id: 'healthy' }]);
    expect(errors.get(idOf(n))).toMatch(
      new RegExp(
        `^react of naming ${idOf(n)} failed on event 1 \\(go\\): .*Then run: seine workflows retry naming ${idOf(n)}$`,
      ),
    );
  });
});

describe('ids of workflows and commands', () => {
  const bad: readonly unknown[] = [undefined, null, 42, {}, Symbol('s'), 'a\0b', 'a\ud800', 'ü'.repeat(501)];

  it('that cannot be stored fail alone', async () => {
    const workflow = workflowWith('identified', null);
    const command = { type: 'go', bad: -1 };
    const byId = bad.map((id) => ({ tenant, id: id as string, command }));
    const byCommandId = bad
      .slice(2)
      .map((commandId, n) => ({ tenant, id: `c${n}`, command, commandId: commandId as string }));
    const outcomes = await handleCommands(db, workflow, [
      ...byId,
      { tenant, id: 'healthy', command },
      ...byCommandId,
    ]);
    combinations += byId.length + byCommandId.length;
    expect(outcomes[byId.length]).toMatchObject({ outcome: 'accepted' });
    const others = outcomes.filter((_, n) => n !== byId.length);
    for (const outcome of others)
      expect(outcome).toMatchObject({ outcome: 'failed', error: { kind: 'usage' } });
    expect(await eventsOf('identified', 'did')).toEqual(['healthy']);
  });
});

afterAll(() => {
  process.stderr.write(`Combinations of user code and bad behaviour: ${combinations}\n`);
  expect(combinations).toBeGreaterThan(700);
});
