import { describe, expect, it } from 'vitest';
import type { ActionDone } from '../actions/action.ts';
import { defineWorkflow, type Workflow } from '../define.ts';
import { act, after, at, tell } from '../effects.ts';
import { testEnvironment } from './create-test-environment.ts';
import { depot, parcel } from './parcel.fixture.ts';
import { delayed } from './simulated-actions.ts';

const send = { type: 'send', grams: 500 } as const;
const booked = { actions: { book: async () => 'no 7' } };

describe('a command in a trial', () => {
  it('leads to events and to everything that follows at once', async () => {
    const world = testEnvironment(parcel, depot, booked);
    const { events, rejected } = await world.send('p1', send);
    expect(events.map(({ type }) => type)).toEqual(['sent', 'weighed']);
    expect(rejected).toBeNull();
    expect(world.state('p1').history).toEqual(['sent', 'weighed', 'book.done']);
    expect(world.events('p1').at(-1)).toEqual({ type: 'book.done', result: 'no 7' });
    expect(world.of(depot).state('north')).toEqual(['p1']);
  });

  it('that is rejected leaves no trace', async () => {
    const world = testEnvironment(parcel, booked);
    await world.send('p1', send);
    expect(await world.send('p1', send)).toEqual({ events: [], rejected: 'already sent' });
    await expect(world.send('p2', { type: 'send', grams: 0 })).rejects.toThrow('must be more than 0');
    expect(world.events('p2')).toEqual([]);
  });

  it('to a workflow that has ended is rejected', async () => {
    const world = testEnvironment(parcel, booked);
    await world.send('p1', { type: 'arrive' });
    expect(world.status('p1')).toBe('completed');
    expect((await world.send('p1', send)).rejected).toBe('parcel p1 is completed');
  });

  it('to a workflow that is no part of the trial is kept', async () => {
    const world = testEnvironment(parcel, booked);
    await world.send('p1', send);
    expect(world.told).toEqual([{ workflow: 'depot', id: 'north', command: { type: 'take', parcel: 'p1' } }]);
  });

  it('of another workflow that is rejected is kept with the reason', async () => {
    const world = testEnvironment(parcel, depot, booked);
    await world.of(depot).send('north', { type: 'take', parcel: 'p1' });
    await world.send('p1', send);
    expect(world.rejections).toMatchObject([{ workflow: 'depot', id: 'north', reason: 'p1 is here' }]);
  });

  it('may continue the workflow as new', async () => {
    const world = testEnvironment(parcel, booked);
    await world.send('p1', send);
    await world.send('p1', { type: 'forget' });
    await world.send('p1', { type: 'remind' });
    expect(world.state('p1')).toEqual({ grams: 500, history: ['forgotten', 'reminded'] });
    expect(world.timers('p1')).not.toEqual([]);
  });
});

describe('time in a trial', () => {
  it('passes when the test says so, and timers come in their order', async () => {
    const world = testEnvironment(parcel, { ...booked, start: new Date('2026-03-27T12:00:00Z') });
    await world.send('p1', send);
    expect(world.timers('p1')).toEqual([
      { name: 'daily', due: new Date('2026-03-28T08:00:00Z'), command: { type: 'remind' } },
      { name: 'once', due: new Date('2026-03-29T12:00:00Z'), command: { type: 'remind' } },
    ]);
    await world.advance({ hours: 20 });
    expect(remindersOf(world)).toBe(1);
    await world.advance({ hours: 23 });
    expect(remindersOf(world)).toBe(2); // the clock was set forward: the next morning came an hour earlier
    await world.advance({ hours: 5 });
    expect(remindersOf(world)).toBe(3);
    expect(world.now).toEqual(new Date('2026-03-29T12:00:00Z'));
    expect(world.timers('p1').map(({ name }) => name)).toEqual(['daily']);
  });

  it('lets no timer come that was cancelled, replaced or whose workflow has ended', async () => {
    const world = testEnvironment(parcel, booked);
    await world.send('stopped', send);
    await world.send('stopped', { type: 'stop reminders' });
    await world.send('ended', send);
    await world.send('ended', { type: 'arrive' });
    await world.advance({ days: 5 });
    expect(remindersOf(world, 'stopped')).toBe(0);
    expect(remindersOf(world, 'ended')).toBe(0);
    expect(world.timers('ended')).toEqual([]);
    expect(world.rejections).toEqual([]);
  });

  it('lets a timer come at a point in time', async () => {
    const alarm = defineWorkflow<
      number,
      { type: 'set'; on: string } | { type: 'ring' },
      { type: 'set'; on: string } | { type: 'rang' }
    >({
      name: 'alarm',
      initial: () => 0,
      decide: (_, command) => (command.type === 'set' ? command : { type: 'rang' }),
      evolve: (rings, { type }) => rings + (type === 'rang' ? 1 : 0),
      react: (event) => (event.type === 'set' ? at(event.on, { type: 'ring' }) : []),
    });
    const world = testEnvironment(alarm);
    await world.send('a', { type: 'set', on: '2026-01-01T09:00:00+01:00' });
    await world.send('past', { type: 'set', on: '2025-12-31' });
    expect(world.timers('a').map(({ due }) => due)).toEqual([new Date('2026-01-01T08:00:00Z')]);
    await world.advance({ hours: 7 });
    expect([world.state('a'), world.state('past')]).toEqual([0, 1]);
    await world.advance({ hours: 1 });
    expect(world.state('a')).toBe(1);
  });

  it('replaces a timer of the same name', async () => {
    const snooze = defineWorkflow<
      number,
      { type: 'set' } | { type: 'ring' },
      { type: 'set' } | { type: 'rang' }
    >({
      name: 'snooze',
      initial: () => 0,
      decide: (_, { type }) => ({ type: type === 'set' ? 'set' : 'rang' }),
      evolve: (rings, { type }) => rings + (type === 'rang' ? 1 : 0),
      react: ({ type }) => (type === 'set' ? after({ minutes: 10 }, { type: 'ring' }) : []),
    });
    const world = testEnvironment(snooze);
    await world.send('a', { type: 'set' });
    await world.advance({ minutes: 9 });
    await world.send('a', { type: 'set' });
    await world.advance({ minutes: 9 });
    expect(world.state('a')).toBe(0);
    await world.advance({ minutes: 1 });
    expect(world.state('a')).toBe(1);
  });
});

describe('an action in a trial', () => {
  it('is retried with the same key and backoff, and continues from its checkpoint', async () => {
    const tries: unknown[] = [];
    const world = testEnvironment(parcel, {
      actions: {
        book: async (input, { attempt, idempotencyKey, checkpoint }) => {
          tries.push([world.now.getTime() - begin, attempt, idempotencyKey, checkpoint.value, input]);
          await checkpoint.save(attempt);
          if (attempt < 3) throw new Error('no answer');
          return 'no 7';
        },
      },
    });
    const begin = world.now.getTime();
    await world.send('p1', send);
    expect(world.actions('p1')).toMatchObject([
      { name: 'book', state: 'waiting', attempts: 1, error: 'no answer' },
    ]);
    await world.advance({ minutes: 1 });
    const key = world.actions('p1')[0]!.idempotencyKey;
    expect(tries).toEqual([
      [0, 1, key, undefined, { grams: 500 }],
      [10_000, 2, key, 1, { grams: 500 }],
      [30_000, 3, key, 2, { grams: 500 }],
    ]);
    expect(world.actions('p1')).toMatchObject([{ state: 'done', attempts: 3 }]);
  });

  it('that fails too often is an event', async () => {
    const world = testEnvironment(parcel, {
      actions: { book: () => Promise.reject(new Error('no answer')) },
    });
    await world.send('p1', send);
    await world.advance({ minutes: 1 });
    expect(world.events('p1').at(-1)).toEqual({ type: 'book.failed', error: 'no answer', attempts: 3 });
    expect(world.status('p1')).toBe('completed');
  });

  it('that fails for a reason that stays is not tried again', async () => {
    const refused = Object.assign(new Error('no such street'), { retry: false });
    const world = testEnvironment(parcel, { actions: { book: () => Promise.reject(refused) } });
    await world.send('p1', send);
    expect(world.events('p1').at(-1)).toEqual({ type: 'book.failed', error: 'no such street', attempts: 1 });
  });

  it('answers later if it lasts, and not at all if it is cancelled or its workflow has ended', async () => {
    const signals: AbortSignal[] = [];
    const book = delayed({ seconds: 20 }, async (_, { signal }) => signals.push(signal));
    const world = testEnvironment(parcel, { actions: { book } });
    for (const id of ['kept', 'cancelled', 'ended']) await world.send(id, send);
    await world.advance({ seconds: 19 });
    expect(world.actions('kept')).toMatchObject([{ state: 'running' }]);
    await world.send('cancelled', { type: 'stop reminders' });
    await world.send('ended', { type: 'arrive' });
    await world.advance({ minutes: 1 });
    expect(world.actions('kept')).toMatchObject([{ state: 'done' }]);
    expect(world.actions('cancelled')).toMatchObject([{ state: 'cancelled' }]);
    expect(world.state('ended').history).toEqual(['sent', 'weighed', 'arrived']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, true]);
  });

  it('that takes too long fails, and its signal is aborted', async () => {
    const signals: AbortSignal[] = [];
    const book = delayed(Number.POSITIVE_INFINITY, async (_, { signal }) => signals.push(signal));
    const world = testEnvironment(parcel, { actions: { book } });
    await world.send('p1', send);
    await world.advance({ seconds: 30 });
    expect(world.actions('p1')).toMatchObject([{ state: 'waiting', error: 'It took longer than 30000 ms.' }]);
    expect(signals[0]!.aborted).toBe(true);
    await world.advance({ minutes: 3 });
    expect(world.actions('p1')).toMatchObject([{ state: 'failed', attempts: 3 }]);
  });

  it('must be known to the trial', async () => {
    await expect(testEnvironment(parcel).send('p1', send)).rejects.toThrow(
      'The trial has no function for the action book.',
    );
  });
});

describe('an action with a key in a trial', () => {
  const shop = defineWorkflow<null, { type: 'pay' }, { type: 'asked' } | ActionDone<'charge', string>>({
    name: 'shop',
    initial: () => null,
    decide: () => ({ type: 'asked' }),
    evolve: () => null,
    react: (event) => (event.type === 'asked' ? act('charge', null, { key: 'payment-1' }) : []),
    actions: { charge: { transaction: async () => 'never in a trial', concurrency: 1 } },
  });

  it('is run once: its result comes again, and while it lasts one event answers all', async () => {
    const keys: string[] = [];
    const charge = delayed({ seconds: 5 }, async (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      return 'paid';
    });
    const world = testEnvironment(shop, { actions: { charge } });
    await world.send('a', { type: 'pay' });
    await world.send('a', { type: 'pay' });
    await world.advance({ seconds: 5 });
    await world.send('a', { type: 'pay' });
    const done = { type: 'charge.done', result: 'paid' };
    expect(world.events('a')).toEqual([{ type: 'asked' }, { type: 'asked' }, done, { type: 'asked' }, done]);
    expect(keys).toEqual(['payment-1']);
  });

  it('that failed is run again', async () => {
    let tries = 0;
    const charge = async () => {
      if (++tries === 1) throw Object.assign(new Error('refused'), { retry: false });
      return 'paid';
    };
    const world = testEnvironment(shop, { actions: { charge } });
    await world.send('a', { type: 'pay' });
    await world.send('a', { type: 'pay' });
    expect(world.events('a').map(({ type }) => type)).toEqual([
      'asked',
      'charge.failed',
      'asked',
      'charge.done',
    ]);
  });
});

describe('a subscription in a trial', () => {
  it('receives matching events from then on, until it ends', async () => {
    const world = testEnvironment(depot, parcel, booked);
    await world.of(parcel).send('before', send);
    await world.send('south', { type: 'watch', tags: [], everyTag: false });
    await world.of(parcel).send('p1', send);
    await world.send('south', { type: 'look away' });
    await world.of(parcel).send('after', send);
    expect(notesOf(world)).toEqual(['p1 sent', 'p1 book.done']);
  });

  it('receives by tags: one that matches, or all', async () => {
    const world = testEnvironment(depot, parcel, booked);
    await world.send('south', { type: 'watch', tags: ['heavy', 'post'], everyTag: true });
    await world.send('north', { type: 'watch', tags: ['heavy', 'post'], everyTag: false });
    await world.of(parcel).send('light', { type: 'send', grams: 1 });
    await world.of(parcel).send('heavy', { type: 'send', grams: 5000 });
    expect(notesOf(world, 'south')).toEqual(['heavy sent']);
    expect(notesOf(world, 'north')).toEqual(['light sent', 'heavy sent']);
  });
});

it('a trial without an end is stopped', async () => {
  const echo: Workflow<null, { type: 'say' }, { type: 'said' }> = defineWorkflow({
    name: 'echo',
    initial: () => null,
    decide: () => ({ type: 'said' }),
    evolve: () => null,
    react: (_event, _state, { id }) => tell(echo, id, { type: 'say' }),
  });
  await expect(testEnvironment(echo).send('a', { type: 'say' })).rejects.toThrow('did not become idle');
});

function remindersOf(world: { state(id: string): { history: readonly string[] } }, id = 'p1'): number {
  return world.state(id).history.filter((type) => type === 'reminded').length;
}

function notesOf(world: { events(id: string): { type: string }[] }, id = 'south'): unknown[] {
  return world.events(id).flatMap((event) => ('what' in event ? [event.what] : []));
}
