/**
 * A runner in a process of its own, as `seine runner` is, of a workflow of which one function ends the process (DEADLY says which), and of an
 * innocent one whose actions run beside it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type AnyWorkflow, defineWorkflow, type Schema } from '../define.ts';
import { act } from '../effects.ts';
import { openWorkflowDatabase } from '../open-database.ts';
import { startRunner } from '../runner/runner.ts';
import type { Typed } from '../typed.ts';

type Bad = Typed & { readonly bad?: boolean };

const deadly = process.env.DEADLY ?? '';
const at = (callback: string, bad: unknown) => {
  if (callback === deadly && bad === true) process.exit(3);
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
    return [];
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

const workflows: AnyWorkflow[] = [target, innocent];
const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
const db = await openWorkflowDatabase({});
await startRunner(db, { workflows, leaseMs: 2000, pollMs: 50, say });
