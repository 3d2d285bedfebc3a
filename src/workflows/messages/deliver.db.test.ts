import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { movableClock } from '../../../test/support/clock.ts';
import { freshDatabase, hasLockWaiter } from '../../../test/support/database.ts';
import { repeatWhile, waitUntil } from '../../../test/support/wait-for.ts';
import { type Database, many } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { pauseWorkflow, resumeWorkflow } from '../control/control.ts';
import { reject } from '../decision.ts';
import { type AnyWorkflow, defineWorkflow } from '../define.ts';
import {
  cancelTimer,
  complete,
  type Effect,
  every,
  after as later,
  subscribe,
  tell,
  unsubscribe,
} from '../effects.ts';
import { type Runner, startRunner } from '../runner/runner.ts';
import { lockWorkflows } from '../workflow-store.ts';
import { deliverDue } from './deliver.ts';
import { addMessages } from './message-store.ts';

let db: Database & { url: string };
let advance: (ms: number) => Promise<void>;
const runners: Runner[] = [];
beforeAll(async () => {
  db = await freshDatabase(8);
  advance = await movableClock(db);
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
});
afterAll(() => db.close());

const tenant = 'default';
const HOUR = 3_600_000;

type Command = { readonly type: string; readonly n?: number };
type Reactions = (event: Command, state: readonly string[]) => readonly Effect<Command>[];

/** Every command is an event; `no` is refused. */
function echo(
  name: string,
  react: Reactions,
  receive?: (
    type: string,
    receiver: { readonly id: string; readonly state: readonly string[] },
  ) => Command | null,
) {
  return defineWorkflow<readonly string[], Command, Command>({
    name,
    initial: () => [],
    decide: (_, command) => {
      if (command.type === 'bomb') throw new Error('boom');
      if (command.type === 'cancelled') return reject('the delivery is cancelled');
      return command.type === 'no' ? reject('no') : command;
    },
    evolve: (state, { type }) => [...state, type],
    react,
    ...(receive && { receive: ({ type }, receiver) => receive(type, receiver) }),
    tags: ({ n }) => (n === undefined ? [] : [`n${n}`, 'numbered']),
  });
}

async function start(...workflows: AnyWorkflow[]): Promise<void> {
  runners.push(await startRunner(db, { workflows, leaseMs: 1e9, pollMs: 20 }));
}

const send = (workflow: AnyWorkflow, id: string, command: Command) =>
  handleCommands(db, workflow, [{ tenant, id, command }]);

async function history(name: string, id: string): Promise<string[]> {
  const events = await many<{ type: string }>(
    db,
    `select event.type from event join workflow on key = workflow_key where name = $1 and id = $2 order by event.version`,
    [name, id],
  );
  return events.map(({ type }) => type);
}

async function expectEvents(name: string, id: string, ...types: string[]): Promise<void> {
  let actual: string[] = [];
  const state = () => `events ${types.join(', ')}; there are: ${actual.join(', ')}`;
  await waitUntil(state, async () => {
    actual = await history(name, id);
    return actual.length >= types.length;
  });
  expect(actual).toEqual(types);
}

const waiting = (name: string) => many(db, 'select timer from message where workflow = $1', [name]);

describe('a timer', () => {
  it('sends its command when it is due, by the database’s clock, and not before', async () => {
    const workflow = echo('alarm', ({ type }) =>
      type === 'set' ? [later({ hours: 2 }, { type: 'rang' })] : [],
    );
    await start(workflow);
    await send(workflow, 'a', { type: 'set' });
    await expectEvents('alarm', 'a', 'set');
    await waitUntil('the timer to be set', async () => (await waiting('alarm')).length !== 0);
    await advance(HOUR);
    await send(workflow, 'a', { type: 'early' });
    await advance(HOUR + 1);
    await expectEvents('alarm', 'a', 'set', 'early', 'rang');
    expect(await waiting('alarm')).toEqual([]);
  });

  it('is replaced by one of the same name, and can be cancelled', async () => {
    const workflow = echo('replaced', ({ type }) => {
      if (type === 'set')
        return [later({ hours: 1 }, { type: 'first' }, 't'), later({ hours: 1 }, { type: 'x' }, 'x')];
      if (type === 'again') return [later({ hours: 3 }, { type: 'second' }, 't'), cancelTimer('x')];
      return [];
    });
    await start(workflow);
    await send(workflow, 'a', { type: 'set' });
    await waitUntil('both timers to be set', async () => (await waiting('replaced')).length >= 2);
    await send(workflow, 'a', { type: 'again' });
    await waitUntil('one timer to be cancelled', async () => (await waiting('replaced')).length <= 1);
    await advance(2 * HOUR);
    await send(workflow, 'a', { type: 'meanwhile' });
    await advance(2 * HOUR);
    await expectEvents('replaced', 'a', 'set', 'again', 'meanwhile', 'second');
  });

  it('comes again by its cron expression, once for all it missed, until its workflow ends', async () => {
    const workflow = echo('daily', ({ type }, state) => {
      if (type === 'set') return [every('0 9 * * *', 'Europe/Berlin', { type: 'morning' })];
      return state.length === 4 ? [complete()] : [];
    });
    await start(workflow);
    await send(workflow, 'a', { type: 'set' });
    await waitUntil('the timer to be set', async () => (await waiting('daily')).length !== 0);
    await advance(24 * HOUR);
    await expectEvents('daily', 'a', 'set', 'morning');
    await advance(5 * 24 * HOUR);
    await expectEvents('daily', 'a', 'set', 'morning', 'morning');
    await advance(24 * HOUR);
    await expectEvents('daily', 'a', 'set', 'morning', 'morning', 'morning');
    await waitUntil('the timer to be removed', async () => (await waiting('daily')).length === 0);
    expect(await send(workflow, 'a', { type: 'late' })).toMatchObject([
      { outcome: 'rejected', reason: 'daily a is completed' },
    ]);
  });
});

describe('a message', () => {
  it('goes from one workflow to another, which begins with it', async () => {
    const target = echo('target', () => []);
    const source = echo('source', ({ type }) => [tell(target, 'b', { type: `from ${type}` })]);
    await start(source, target);
    await send(source, 'a', { type: 'one' });
    await expectEvents('target', 'b', 'from one');
    await send(source, 'a', { type: 'two' });
    await expectEvents('target', 'b', 'from one', 'from two');
  });

  it('that is refused is gone, and one whose code throws is tried again, then parked', async () => {
    const workflow = echo('strict', () => []);
    await addMessages(
      db,
      ['no', 'bomb', 'yes'].map(
        (type) => ({ tenant, workflow: 'strict', id: 'a', kind: 'command', body: { type } }) as const,
      ),
    );
    await start(workflow);
    for (let n = 0; n < 4; n++) {
      const attempts = async () =>
        (
          await many<{ attempts: number }>(
            db,
            `select max(attempts) as attempts from message where workflow = 'strict'`,
          )
        )[0]!.attempts;
      await waitUntil(`attempt ${n + 1}`, async () => (await attempts()) > n);
      await advance(60_000);
    }
    const parked = () =>
      many(db, `select error from message where workflow = 'strict' and parked_at is not null`);
    await waitUntil('the message to be parked', async () => (await parked()).length !== 0);
    expect(await parked()).toMatchObject([
      {
        error: expect.stringMatching(
          /^decide of strict a failed on the command bomb: boom\..*seine workflows retry/,
        ),
      },
    ]);
    await expectEvents('strict', 'a', 'yes');
  });

  it('of a cron timer comes again whatever a rejection says', async () => {
    const workflow = echo('cron-rejected', ({ type }) =>
      type === 'go' ? [every('0 * * * *', 'UTC', { type: 'cancelled' })] : [],
    );
    await send(workflow, 'a', { type: 'go' });
    await start(workflow);
    const timers = () =>
      many(
        db,
        `select due_at > clock() as "isLater" from message where workflow = 'cron-rejected' and cron is not null`,
      );
    await expect.poll(timers).toEqual([{ isLater: true }]);
    await advance(2 * HOUR);
    const rejections = () => many(db, `select reason from rejected_message where workflow = 'cron-rejected'`);
    await expect.poll(rejections).toEqual([{ reason: 'the delivery is cancelled' }]);
    expect(await timers()).toEqual([{ isLater: true }]);
  });

  it('has its effect once, also when it is sent twice under one id', async () => {
    const workflow = echo('signalled', () => []);
    const signal = {
      tenant,
      workflow: 'signalled',
      id: 'a',
      kind: 'command',
      body: { type: 'go' },
      commandId: 'c',
    } as const;
    await addMessages(db, [signal, signal]);
    await start(workflow);
    await waitUntil('the signal to be delivered', async () => (await waiting('signalled')).length === 0);
    expect(await history('signalled', 'a')).toEqual(['go']);
  });
});

describe('a subscription', () => {
  it('made through one process is seen by another at once', async () => {
    const listener = echo(
      'listener',
      ({ type }) => (type === 'listen' ? [subscribe('all', { workflow: 'speaker', type: 'said' })] : []),
      (type) => ({ type: `heard ${type}` }),
    );
    const speaker = echo('speaker', () => []);
    await start(speaker);
    await send(speaker, 'a', { type: 'warm' });
    await start(listener);
    await send(listener, 'l', { type: 'listen' });
    const subscribed = () => many(db, `select from subscription where workflow = 'listener'`);
    await waitUntil('the subscription', async () => (await subscribed()).length !== 0);
    await send(speaker, 'a', { type: 'said' });
    await send(speaker, 'b', { type: 'whispered' });
    await expectEvents('listener', 'l', 'listen', 'heard said');
  });

  it('asks the workflow with its id and its state as of then, event by event', async () => {
    const counting = echo(
      'counting',
      ({ type }) => (type === 'listen' ? [subscribe('all', { workflow: 'ticker' })] : []),
      (type, { id, state }) => (state.length < 3 ? { type: `${id} ${type} after ${state.length}` } : null),
    );
    const ticker = echo('ticker', () => []);
    await start(ticker, counting);
    await send(counting, 'l', { type: 'listen' });
    const subscribed = () => many(db, `select from subscription where workflow = 'counting'`);
    await expect.poll(subscribed, { timeout: 20_000 }).toHaveLength(1);
    await handleCommands(
      db,
      ticker,
      ['x', 'y', 'z'].map((type) => ({ tenant, id: 'a', command: { type } })),
    );
    await expectEvents('counting', 'l', 'listen', 'l x after 1', 'l y after 2');
    await expect.poll(() => waiting('counting'), { timeout: 20_000 }).toEqual([]);
    expect(await history('counting', 'l')).toHaveLength(3);
  });

  it.each([
    ['one of its tags', { tags: ['n1', 'other'] }, ['n1']],
    ['all of its tags', { tags: ['n2', 'numbered'], everyTag: true }, ['n2']],
    ['one workflow', { id: 'c3' }, ['n3']],
  ])('receives by %s', async (what, interest, expected) => {
    const name = `chooser-${what.replaceAll(' ', '-')}`;
    const choir = `choir-${what.replaceAll(' ', '-')}`;
    const chooser = echo(
      name,
      ({ type }) =>
        type === 'listen' ? [subscribe('s', { workflow: choir, ...interest })] : [unsubscribe('none')],
      (type) => ({ type: `heard ${type}` }),
    );
    const singer = echo(choir, () => []);
    await start(chooser, singer);
    await send(chooser, 'l', { type: 'listen' });
    const subscribed = () => many(db, 'select from subscription where workflow = $1', [name]);
    await waitUntil('the subscription', async () => (await subscribed()).length !== 0);
    for (const n of [1, 2, 3]) await send(singer, `c${n}`, { type: `n${n}`, n });
    await expectEvents(name, 'l', 'listen', ...expected.map((type) => `heard ${type}`));
  });
});

describe('a delivery', () => {
  const mine = { parts: [0], total: 1 };
  const to = (name: string, id: string, type: string) =>
    ({ tenant, workflow: name, id, kind: 'command', body: { type } }) as const;
  const burn = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };

  it('leaves what there is no time for to the next one, and says which command is slow', async () => {
    const said: string[] = [];
    const slow = slowly('slow', () => burn(20));
    await addMessages(
      db,
      ['a', 'b', 'c'].map((id) => to('slow', id, 'go')),
    );
    const options = {
      budgetMs: 0,
      slowMs: 10,
      maxMs: 60_000,
      say: (sentence: string) => said.push(sentence),
    };
    expect(await deliverDue(db, slow, mine, options)).toBe(1);
    expect(await waiting('slow')).toHaveLength(2);
    await repeatWhile('deliveries', async () => (await deliverDue(db, slow, mine, options)) > 0);
    expect(await waiting('slow')).toEqual([]);
    expect(said[0]).toMatch(/^slow a: deciding on the command go took \d+ ms and blocked/);
  });

  it('parks a command that takes too long by itself, after its tries', async () => {
    const said: string[] = [];
    const endless = slowly('endless', ({ type }) => type === 'long' && burn(20));
    await addMessages(db, [to('endless', 'a', 'long'), to('endless', 'b', 'short')]);
    const options = { maxMs: 10, parkAfter: 2, say: (sentence: string) => said.push(sentence) };
    for (let tries = 0; tries < 2; tries++) {
      await deliverDue(db, endless, mine, options);
      await advance(60_000);
    }
    expect(await history('endless', 'b')).toEqual(['short']);
    expect(said).toEqual([
      expect.stringMatching(
        /^endless a: message \d+ \(command long\) is parked: decide of endless a failed on the command long: it took/,
      ),
    ]);
  });

  it('has no effect of a timer that was cancelled while it was decided', async () => {
    const workflow = slowly('cancelled', () => {});
    await addMessages(db, [to('cancelled', 'a', 'go'), to('cancelled', 'b', 'go')]);
    const meddled: Database = {
      ...db,
      tx: async (work) => {
        await db.query(`delete from message where workflow = 'cancelled' and workflow_id = 'a'`);
        return db.tx(work);
      },
    };
    expect(await deliverDue(meddled, workflow, mine)).toBe(1);
    expect(await history('cancelled', 'a')).toEqual([]);
    expect(await history('cancelled', 'b')).toEqual(['go']);
  });

  it('has the new command of a timer that was set again while it was decided', async () => {
    const workflow = slowly('replaced-late', () => {});
    await addMessages(db, [to('replaced-late', 'a', 'old')]);
    let meddled = false;
    const meddling: Database = {
      ...db,
      tx: async (work) => {
        if (!meddled)
          await db.query(`update message set body = '{"type":"new"}' where workflow = 'replaced-late'`);
        meddled = true;
        return db.tx(work);
      },
    };
    await repeatWhile('deliveries', async () => {
      await deliverDue(meddling, workflow, mine);
      return (await waiting('replaced-late')).length > 0;
    });
    expect(await history('replaced-late', 'a')).toEqual(['new']);
  });

  it('holds nothing back for a workflow that was resumed while it was decided', async () => {
    const workflow = slowly('resumed', () => {});
    await send(workflow, 'a', { type: 'begin' });
    await pauseWorkflow(db, { tenant, workflow: 'resumed', id: 'a' });
    await addMessages(db, [to('resumed', 'a', 'go')]);
    const meddled: Database = {
      ...db,
      tx: async (work) => {
        await resumeWorkflow(db, { tenant, workflow: 'resumed', id: 'a' });
        return db.tx(work);
      },
    };
    await deliverDue(meddled, workflow, mine);
    await repeatWhile('deliveries', async () => {
      await deliverDue(db, workflow, mine);
      return (await waiting('resumed')).length > 0;
    });
    expect((await history('resumed', 'a')).at(-1)).toBe('go');
  });

  it('locks paused workflows and those it appends to in the order of all', async () => {
    const workflow = slowly('ordered', () => {});
    for (const id of ['paused', 'between', 'appended']) await send(workflow, id, { type: 'begin' });
    await pauseWorkflow(db, { tenant, workflow: 'ordered', id: 'paused' });
    await addMessages(db, [to('ordered', 'paused', 'go'), to('ordered', 'appended', 'go')]);
    const rows = await many<{ key: number }>(
      db,
      `select key from workflow where name = 'ordered' order by key`,
    );
    const keys = rows.map(({ key }) => key);
    const [others, delivered] = await db.tx(async (tx) => {
      await lockWorkflows(tx, [keys[1]!]);
      const all = db.tx((other) => lockWorkflows(other, keys)); // has the first one, and waits for the second
      await hasLockWaiter(db);
      const delivering = deliverDue(db, workflow, mine);
      await hasLockWaiter(db, 2);
      return [all, delivering] as const;
    });
    await others;
    expect(await delivered).toBe(2);
  });

  function slowly(name: string, meanwhile: (command: Command) => void): AnyWorkflow {
    return defineWorkflow<null, Command, Command>({
      name,
      initial: () => null,
      decide: (_, command) => {
        meanwhile(command);
        return command;
      },
      evolve: () => null,
    });
  }
});
