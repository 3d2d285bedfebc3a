import { describe, expect, it } from 'vitest';
import { continueAsNew } from '../decision.ts';
import { type Decision, defineWorkflow } from '../define.ts';
import { initialState } from '../state/fold.ts';
import type { Typed } from '../typed.ts';
import { runDecide } from './decide.ts';

type Command = { readonly type: 'place' | 'pay' | 'close' };
type Event = { readonly type: 'placed' | 'paid' | 'closed' };

interface Till {
  readonly seen: readonly string[];
}

function till(decide: (command: Command) => Decision<Event, Till>, commands?: readonly Command['type'][]) {
  return defineWorkflow<Till, Command, Event>({
    name: 'till',
    initial: () => ({ seen: [] }),
    decide: (_, command) => decide(command),
    evolve: ({ seen }, { type }) => ({ seen: [...seen, type] }),
    ...(commands && { commands }),
  });
}

const at = { id: 'till-1', now: new Date('2026-01-01T00:00:00Z') };

function send(workflow: ReturnType<typeof till>, type: string) {
  return runDecide(workflow, initialState(workflow), { type } as Typed, at);
}

describe('a new beginning', () => {
  it('comes after the events it is decided with, and its state is what remains', async () => {
    const workflow = till(() => [{ type: 'paid' }, { type: 'closed' }, continueAsNew({ seen: ['anew'] })]);
    const decided = await send(workflow, 'close');
    expect(decided).toMatchObject({
      events: [{ type: 'paid' }, { type: 'closed' }, { type: 'workflow.continued' }],
      folded: { version: 3, state: { seen: ['anew'] } },
    });
  });

  it('alone in a list is as good as without one', async () => {
    const workflow = till(() => [continueAsNew({ seen: [] })]);
    expect(await send(workflow, 'close')).toMatchObject({ events: [{ type: 'workflow.continued' }] });
  });

  it('before an event is refused, by the types and when it is decided', async () => {
    // @ts-expect-error: the events come first
    const workflow = till(() => [continueAsNew({ seen: [] }), { type: 'closed' }]);
    await expect(send(workflow, 'close')).rejects.toThrow(
      'decide of till till-1 failed on the command close: it returned continueAsNew before its last event.',
    );
  });

  it('with another state is refused by the types', () => {
    // @ts-expect-error: the state of a till has `seen`
    expect(till(() => [{ type: 'closed' }, continueAsNew({ subscribers: [] })])).toBeDefined();
  });
});

describe('a command that the workflow does not know', () => {
  const known = ['place', 'pay', 'close'] as const;

  it('is refused by name, with the nearest of those that are listed, and decide is not asked', async () => {
    const workflow = till(() => ({ type: 'placed' }), known);
    await expect(send(workflow, 'plcae')).rejects.toMatchObject({
      kind: 'usage',
      message: 'till till-1 knows no command "plcae".',
      hint: 'Did you mean place?',
    });
  });

  it('that is like none of them is answered with all of them', async () => {
    const workflow = till(() => ({ type: 'placed' }), known);
    await expect(send(workflow, 'explode')).rejects.toMatchObject({ hint: 'It takes: place, pay, close.' });
  });

  it('is named together with what decide throws at it when none are listed', async () => {
    const workflow = till(() => (undefined as unknown as { event: Event }).event);
    await expect(send(workflow, 'plcae')).rejects.toMatchObject({
      message: expect.stringMatching(
        /^decide of till till-1 failed on the command plcae: Cannot read properties/,
      ),
      hint: expect.stringContaining('commands: ['),
      cause: expect.any(TypeError),
    });
  });

  it('is named together with the nonsense that decide returns for it', async () => {
    const workflow = till(() => undefined as never);
    await expect(send(workflow, 'plcae')).rejects.toThrow(
      'decide of till till-1 failed on the command plcae: it returned undefined.',
    );
  });

  it('without a type is refused', async () => {
    const workflow = till(() => ({ type: 'placed' }));
    await expect(send(workflow, undefined as never)).rejects.toThrow('A command to till till-1 has no type.');
  });
});

describe('what is decided', () => {
  it('is what stands in the array, whatever an iterator of its own says', async () => {
    const more = () => Array.from({ length: 20_000 }, () => ({ type: 'paid' })).values();
    const workflow = till(() => Object.assign([{ type: 'placed' }], { [Symbol.iterator]: more }) as Event[]);
    expect(await send(workflow, 'place')).toMatchObject({ events: [{ type: 'placed' }] });
  });

  it('is refused by its length before it is copied', async () => {
    const workflow = till(() => new Array(2 ** 32 - 1));
    await expect(send(workflow, 'place')).rejects.toThrow(
      'it returned 4294967295 events; the maximum is 10000.',
    );
  });

  it('is no event of Seine, also when its type changes while it is read', async () => {
    for (let right = 0; right < 4; right++) {
      let reads = 0;
      const event = {
        get type() {
          return reads++ < right ? 'paid' : 'workflow.cancelled';
        },
      };
      const decided = send(
        till(() => event as never),
        'pay',
      );
      await decided.then(
        (given) => expect(given).toMatchObject({ events: [{ type: 'paid' }] }),
        (error) => expect(error.message).toContain('something that is not an event'),
      );
    }
  });

  it('is never asked of a command that is not listed, also when its type changes while it is read', async () => {
    const asked: string[] = [];
    const workflow = till(
      (command) => {
        asked.push(command.type);
        return [];
      },
      ['pay'],
    );
    for (let right = 0; right < 5; right++) {
      let reads = 0;
      const command = {
        get type() {
          return reads++ < right ? 'pay' : 'close';
        },
      };
      await runDecide(workflow, initialState(workflow), command, at).catch(() => {});
    }
    expect(new Set(asked)).toEqual(new Set(['pay']));
  });

  it('may read a list in its command, whatever an iterator of the list says', async () => {
    const more = () => Array.from({ length: 20_000 }, () => 'x').values();
    const lines = Object.assign(['a'], { [Symbol.iterator]: more });
    let seen: unknown;
    const workflow = till((command) => {
      seen = command;
      return [];
    });
    await runDecide(workflow, initialState(workflow), { type: 'pay', lines } as Typed, at);
    expect(seen).toEqual({ type: 'pay', lines: ['a'] });
  });
});
