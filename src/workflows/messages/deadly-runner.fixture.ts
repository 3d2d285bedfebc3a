/**
 * A runner in a process of its own, as `seine runner` is, of a workflow of which one function ends the process (DEADLY says which, HOW how), and of an
 * innocent one whose actions run beside it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyWorkflow, defineWorkflow, type Schema } from '../define.ts';
import { act } from '../effects.ts';
import { openWorkflowDatabase } from '../open-database.ts';
import { defineProjection } from '../projections/projection.ts';
import { startRunner } from '../runner/runner.ts';
import type { Typed } from '../typed.ts';

type Bad = Typed & { readonly bad?: boolean };

const deadly = process.env.DEADLY ?? '';
const at = (callback: string, bad: unknown) => {
  if (callback !== deadly || bad !== true) return;
  if (process.env.HOW !== 'loop') process.exit(3);
  for (;;);
};
const command: Schema<Bad> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => {
      at('schema', (value as Bad).bad);
      return { value: value as Bad };
    },
  },
};

const target = defineWorkflow<number, Bad, Bad>({
  name: 'target',
  initial: () => 0,
  decide: (_, { bad }) => {
    at('decide', bad);
    return { type: 'got', ...(bad && { bad }) };
  },
  evolve: (n, { bad }) => {
    at('evolve', bad);
    return n + 1;
  },
  react: (event) => {
    at('react', event.bad);
    return event.type === 'got' ? [act('ship', { bad: event.bad === true })] : [];
  },
  actions: {
    ship: {
      run: async ({ bad }) => {
        at('action', bad);
        return 'ok';
      },
      limitKey: ({ bad }) => {
        at('limitKey', bad);
        return 'all';
      },
      rate: { limit: 1000, per: { seconds: 1 } },
    },
  },
  receive: ({ data }) => {
    at('receive', data.bad);
    return { type: 'go', ...(data.bad === true && { bad: true }) };
  },
  schema: { command },
});

const innocent = defineWorkflow<number, Typed, Typed>({
  name: 'innocent',
  initial: () => 0,
  decide: () => ({ type: 'asked' }),
  evolve: (n) => n + 1,
  react: ({ type }) => (type === 'asked' ? [act('ship')] : []),
  actions: { ship: { run: () => sleep(300, 'fine'), attempts: 1 } },
});

const seen = defineProjection({
  name: 'seen',
  from: [target],
  init: async () => {},
  reset: async () => {},
  apply: async (_, { data }) => at('apply', data.bad),
});

const workflows: AnyWorkflow[] = [target, innocent];
const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
const db = await openWorkflowDatabase({});
const endWhenBlockedMs = 1000;
await startRunner(db, { workflows, projections: [seen], leaseMs: 2000, pollMs: 50, endWhenBlockedMs, say });
