import { describe, expect, it } from 'vitest';
import { checkEffects } from './check-effects.ts';
import { startChild } from './children/child.ts';
import { defineWorkflow } from './define.ts';
import {
  act,
  after,
  at,
  cancelAction,
  cancelTimer,
  complete,
  type Effect,
  every,
  fail,
  subscribe,
  tell,
  unsubscribe,
} from './effects.ts';
import type { Wait } from './wait.ts';

const workflow = defineWorkflow<null, { type: 'go' }, { type: 'gone' }>({
  name: 'walk',
  initial: () => null,
  decide: () => ({ type: 'gone' }),
  evolve: () => null,
  actions: { step: async () => null },
});
const go = { type: 'go' } as const;
const timer = (wait: Wait) => after(wait, go);
const raw = (afterMs: number): Effect => ({ do: 'set timer', name: 'go', command: go, when: { afterMs } });
const endless: { self?: unknown } = {};
endless.self = endless;

describe('what a reaction asks for', () => {
  it('can be written down', () => {
    const good: Effect[] = [
      act('step'),
      act('step', { far: 3 }),
      act('step', undefined),
      act('step', null, { key: 'step-7' }),
      timer({ days: 3 }),
      timer(0),
      at(new Date('2026-01-01'), go),
      at('2026-01-01T12:00:00+02:00', go),
      every('0 9 * * 1-5', 'Europe/Berlin', go),
      tell(workflow, 'b', go),
      cancelAction('step'),
      cancelTimer('go'),
      subscribe('all', {}),
      unsubscribe('all'),
      complete(),
    ];
    expect(() => checkEffects(workflow, good)).not.toThrow();
  });

  it.each([new Date('nonsense'), 'tomorrow', '2026-01-01T12:00:00'])('waits for no such time: %s', (time) => {
    expect(() => at(time, go)).toThrow('at() needs a point in time');
  });

  it('is no command that the definition does not list', () => {
    const listed = defineWorkflow({ ...workflow, commands: ['go'] });
    expect(() => checkEffects(listed, [after(5, { type: 'og' }, 'soon')])).toThrow(
      'walk (timer soon) knows no command "og".',
    );
  });

  it.each<[string, unknown, string]>([
    ['a time beyond the calendar', at(new Date(8.64e15), go), "walk sets the timer go to '+275760"],
    ['an action that is not there', act('leap'), 'walk requests the action leap, which it does not define.'],
    ['an action that every object has', act('toString'), 'walk requests the action toString'],
    ['an input that is no JSON', act('step', 1n), "walk: the input of step can't be written as JSON"],
    ['an input without an end', act('step', endless), "can't be written as JSON"],
    ['a function as input', act('step', () => 1), "can't be written as JSON: it is a function"],
    [
      'an empty key',
      act('step', null, { key: '' }),
      'walk: the key of step must be a text that is not empty.',
    ],
    ['a key that is no text', act('step', null, { key: 7 as never }), 'the key of step must be a text'],
    ['a cron that is none', every('61 * * * *', 'UTC', go), '"61 * * * *" can\'t be used'],
    ['a zone that is none', every('0 9 * * *', 'Mars', go), '"Mars" is no time zone.'],
    ['no time', raw(Number.NaN), 'sets the timer go to NaN ms'],
    ['a time that is over', raw(-1), 'sets the timer go to -1 ms'],
    ['a time without an end', raw(Number.POSITIVE_INFINITY), 'sets the timer go to Infinity ms'],
    [
      'a command that is no JSON',
      { ...tell(workflow, 'b', go), command: 1n },
      'the command to walk is 1n, not an object with a type',
    ],
    ['something else', { do: 'dance' }, 'something that is not an effect: {"do":"dance"}'],
    ['nothing', undefined, 'something that is not an effect: undefined'],
  ])('is refused if it is %s', (_, effect, sentence) => {
    expect(() => checkEffects(workflow, [effect as Effect])).toThrow(sentence);
  });

  it.each<[string, Effect]>([
    ['an action', act('step', null, { key: 'x'.repeat(1001) })],
    ['another workflow', tell(workflow, 'x'.repeat(1001), go)],
    ['another workflow with a zero', tell(workflow, 'a\0', go)],
    ['a timer', { do: 'set timer', name: 'x'.repeat(1001), command: go, when: { afterMs: 1 } }],
    ['a subscription', subscribe('x'.repeat(1001), { type: 'gone' })],
    ['what is subscribed to', subscribe('all', { id: 'x'.repeat(1001) })],
  ])('must have names that fit into an index: %s', (_, effect) => {
    expect(() => checkEffects(workflow, [effect])).toThrow(/the maximum is 1000|zero character/);
  });
});

describe('what is written', () => {
  const child = startChild(workflow, 'c', go);
  it.each<[string, Effect]>([
    ['act', act('step', 1, { key: 'k' })],
    ['a timer', timer(5)],
    ['a timer at a time', at('2026-01-01', go)],
    ['a timer by calendar', every('0 9 * * *', 'UTC', go)],
    ['tell', tell(workflow, 'b', go)],
    ['cancel action', cancelAction('step')],
    ['cancel timer', cancelTimer('go')],
    ['subscribe', subscribe('all', { workflow: 'walk', id: 'b', type: 'gone', tags: ['x'], everyTag: true })],
    ['unsubscribe', unsubscribe('all')],
    ['start child', child],
    ['complete', complete({ far: 3 })],
    ['fail', fail('too far')],
  ])('is what was checked, for no property is read twice: %s', (_, effect) => {
    const readOnce = onlyOnce(effect, ['when', 'to']) as Effect;
    expect(checkEffects(workflow, [readOnce])).toEqual([effect]);
  });

  it.each<[string, (command: { type: 'go' }) => Effect]>([
    ['a timer', (command) => after(5, command, 'soon')],
    ['another workflow', (command) => tell(workflow, 'b', command)],
    ['a child', (command) => startChild(workflow, 'c', command)],
  ])('is a command also when its type changes while it is read: %s', (_, effect) => {
    const written = [0, 1, 2, 3, 4, 5].map((right) => {
      let reads = 0;
      const command = {
        get type() {
          return reads++ < right ? 'go' : 7;
        },
      };
      try {
        return checkEffects(workflow, [effect(command as never)])[0];
      } catch {
        return null;
      }
    });
    for (const one of written) if (one !== null) expect(one).toMatchObject({ command: go });
    expect(written[0]).toBeNull();
    expect(written[5]).not.toBeNull();
  });

  it('is what stands in the arrays, whatever iterators of their own say', () => {
    const more = () => Array.from({ length: 20_000 }, () => 'x').values();
    const tags = Object.assign(['a'], { [Symbol.iterator]: more });
    const effects = Object.assign([subscribe('all', { tags })], { [Symbol.iterator]: more });
    expect(checkEffects(workflow, effects as Effect[])).toEqual([subscribe('all', { tags: ['a'] })]);
  });

  it('has not more tags than fit into memory', () => {
    const tags = new Array(2 ** 32 - 1) as string[];
    expect(() => checkEffects(workflow, [subscribe('all', { tags })])).toThrow('4294967295 tags');
  });

  it('is no larger than an event of the parent can hold', () => {
    expect(() => checkEffects(workflow, [complete('x'.repeat(250_000))])).toThrow(
      'walk: the result has 250002 bytes; the maximum is 245760',
    );
    expect(() => checkEffects(workflow, [fail('x'.repeat(40_000))])).toThrow(
      'walk: the error has 40000 bytes; the maximum is 32768',
    );
  });
});

/** The same properties, each of which throws when it is read again; also those of the objects in these. */
function onlyOnce(value: object, deep: readonly string[] = []): object {
  const guarded = Object.entries(value).map(([key, part]) => {
    let reads = 0;
    const get = () => {
      if (reads++ > 0) throw new Error(`${key} was read twice`);
      return deep.includes(key) ? onlyOnce(part) : part;
    };
    return [key, { get, enumerable: true }];
  });
  return Object.defineProperties({}, Object.fromEntries(guarded));
}
