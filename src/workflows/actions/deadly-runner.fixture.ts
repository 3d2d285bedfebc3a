/** A runner in a process of its own, as `seine runner` is, of actions that end it or leave errors behind that nothing catches. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openWorkflowDatabase } from '../open-database.ts';
import { startRunner } from '../runner/runner.ts';
import { workflowWith } from './action.fixture.ts';
import type { Action } from './action.ts';
import { catchUncaughtErrors } from './uncaught-errors.ts';

const policy = { attempts: 2, firstWait: 0, mostWait: 0 };
/** After the others have started. */
const SOON_MS = 50;

const actions: Readonly<Record<string, Action>> = {
  exits: { run: () => sleep(SOON_MS).then(() => process.exit(3)), ...policy },
  kills: {
    run: () => sleep(SOON_MS).then(() => process.kill(process.pid, 'SIGKILL') && sleep(60_000)),
    ...policy,
  },
  rejects: {
    run: () => {
      void sleep(1).then(() => Promise.reject(new Error('nothing awaits this')));
      return sleep(60_000);
    },
    ...policy,
  },
  'throws in a timer': {
    run: () => {
      setTimeout(() => {
        throw new Error('nothing catches this');
      }, 1);
      return sleep(60_000);
    },
    ...policy,
  },
  'rejects later': async () => void sleep(SOON_MS).then(() => Promise.reject(new Error('too late to count'))),
  'throws later': async () => {
    setTimeout(() => {
      throw new Error('too late to matter');
    }, SOON_MS);
  },
  good: { run: () => sleep(3 * SOON_MS, 'fine'), attempts: 1 },
};

const say = (sentence: string) => void process.stderr.write(`${sentence}\n`);
const db = await openWorkflowDatabase({});
catchUncaughtErrors(say);
await startRunner(db, { workflows: [workflowWith('deadly', actions)], leaseMs: 2000, pollMs: 50, say });
