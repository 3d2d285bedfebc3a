import { describe, expect, it } from 'vitest';
import { decideOn } from './decide.ts';
import { continueAsNew } from './decision.ts';
import { type Decision, defineWorkflow } from './define.ts';
import { begun } from './fold.ts';
import type { Typed } from './typed.ts';

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
  return decideOn(workflow, begun(workflow), { type } as Typed, at);
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
    expect(till(() => [{ type: 'closed' }, continueAsNew({ heard: [] })])).toBeDefined();
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
