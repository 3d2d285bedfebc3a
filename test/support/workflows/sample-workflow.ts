/** A file with a small workflow, as a user would write it, for tests of the commands. */
import { put } from '../tree.ts';

/** `errand`: does one action for each command, rejects negative numbers, ends on command; 13 is bad luck while UNLUCKY is set. */
export function writeSampleWorkflow(folder: string): string {
  return put(
    folder,
    'errands.mjs',
    `import { act, complete, defineWorkflow, reject } from 'seine/workflows';

export const errand = defineWorkflow({
  name: 'errand',
  commands: ['run', 'end'],
  attributes: ({ asked, done }) => ({ asked, done }),
  initial: () => ({ asked: 0, done: 0 }),
  decide: (state, command) => {
    if (command.type === 'end') return { type: 'ended' };
    return command.n < 0 ? reject('not so few') : { type: 'asked', n: command.n };
  },
  evolve: (state, event) => {
    if (event.type === 'asked') return { ...state, asked: state.asked + event.n };
    return event.type === 'work.done' ? { ...state, done: state.done + event.result } : state;
  },
  react: (event) => {
    if (event.type === 'asked' && event.n === 13 && process.env.UNLUCKY) throw new Error('bad luck');
    if (event.type === 'asked') return act('work', { n: event.n });
    return event.type === 'ended' ? complete() : [];
  },
  actions: { work: async ({ n }) => n },
});

export const nothing = 'no workflow';
`,
  );
}
