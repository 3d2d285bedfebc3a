/** A small workflow for tests: counts, refuses to go below zero, reacts in every way there is. */
import { reject } from './decision.ts';
import { defineWorkflow } from './define.ts';

export type CounterCommand =
  | { readonly type: 'add'; readonly n: number }
  | { readonly type: 'explode' }
  | { readonly type: 'nothing' };

export type CounterEvent = { readonly type: 'added'; readonly n: number };

export function counter(name = 'counter') {
  return defineWorkflow<{ sum: number; events: number }, CounterCommand, CounterEvent>({
    name,
    initial: () => ({ sum: 0, events: 0 }),
    decide: (state, command) => {
      if (command.type === 'explode') throw new Error('boom');
      if (command.type === 'nothing') return [];
      if (state.sum + command.n < 0) return reject('below zero');
      return { type: 'added', n: command.n };
    },
    evolve: (state, event) => ({ sum: state.sum + event.n, events: state.events + 1 }),
    snapshotEvery: 10,
  });
}
