/** For tests of several versions of a workflow's code on one database: bills, and who was called for them. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { waitUntil } from '../../../test/support/wait-for.ts';
import { type Database, many, one } from '../../db/database.ts';
import { handleCommands } from '../commands/handle.ts';
import { signalWorkflow } from '../control/signal.ts';
import { defineWorkflow, type OldEvent } from '../define.ts';
import { act, after, type Effect, subscribe } from '../effects.ts';
import { type Runner, type RunnerOptions, startRunner } from '../runner/runner.ts';

export let db: Database & { url: string };
/** Of the workflow: another one for each test. */
export let name = '';
let tests = 0;
const runners: Runner[] = [];
/** Which code was asked what: `2 react due`. */
export let calls: string[] = [];
/** A database for the tests of a file, and no runner of a test is there for the next one. */
export function useBills(): void {
  beforeAll(async () => {
    db = await freshDatabase(30);
  });
  afterAll(() => db.close());
  beforeEach(() => {
    name = `bill${tests++}`;
    calls = [];
  });
  afterEach(stopAll);
}

export async function stopAll(): Promise<void> {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
}

/** Only what comes from now on counts. */
export function forgetCalls(): void {
  calls = [];
}

type Command = { readonly type: 'bill' | 'remind' | 'listen'; readonly on?: string };
type Event = OldEvent;

/** Version 1 counts in units, version 2 in cents: what the one takes for the other is wrong by a factor of 100. */
export function bill(version: number) {
  const note = (what: string, event?: { type: string; cents?: unknown }, of = '') =>
    void calls.push([version, what, event?.type, event?.cents && 'in cents', of].filter(Boolean).join(' '));
  const upcast = (event: Event): Event =>
    event.type === 'due' ? { type: 'due', cents: (event.amount as number) * 100 } : event;
  const upcasts = { 1: upcast, 2: (event: Event) => event };
  return defineWorkflow<{ n: number }, Command, Event>({
    name,
    version,
    upcast: upcasts,
    initial: () => ({ n: 0 }),
    decide: (_, command) => {
      note('decide', command);
      if (command.type !== 'bill')
        return { type: command.type === 'listen' ? 'listening' : 'reminded', on: command.on };
      return version === 1 ? { type: 'due', amount: 7 } : { type: 'due', cents: 700 };
    },
    evolve: (state, event) => {
      note('evolve', event);
      return { n: state.n + 1 };
    },
    react: (event, _, { id }): Effect<Command>[] => {
      note('react', event, `of ${id}`);
      if (event.type === 'listening')
        return [subscribe('others', { workflow: name, id: event.on as string })];
      if (event.type !== 'due') return [];
      const cents = version === 1 ? (event.amount as number) * 100 : (event.cents as number);
      return [act('pay', { cents, asked: version }), after({ seconds: 0.01 }, { type: 'remind' })];
    },
    receive: ({ schema }) => {
      note('receive', undefined, `of schema ${schema}`);
      return { type: 'remind' };
    },
    actions: {
      pay: async ({ cents, asked }: { cents: number; asked: number }) => {
        calls.push(`${version} pay ${cents} asked by ${asked}`);
        return cents;
      },
    },
  });
}

export async function run(version: number, options: Partial<RunnerOptions> = {}): Promise<Runner> {
  const runner = await startRunner(db, {
    workflows: [bill(version)],
    leaseMs: 2000,
    pollMs: 20,
    ...options,
  });
  runners.push(runner);
  return runner;
}

export const send = (version: number, id: string, command: Command = { type: 'bill' }) =>
  handleCommands(db, bill(version), [{ tenant: 'default', id, command }]);

export const address = (id: string) => ({ tenant: 'default', workflow: name, id });
export const signal = (id: string, command: Command) =>
  signalWorkflow(db, { tenant: 'default', workflow: name, id }, command);

const PATIENCE_MS = 20_000;
export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const state = () => `${what}; calls: ${calls.slice(-50).join(', ')}`;
  await waitUntil(state, holds, { forMs: PATIENCE_MS });
}

export async function events(id: string): Promise<string[]> {
  const rows = await many<{ type: string }>(
    db,
    'select type from event join workflow on key = workflow_key where name = $1 and id = $2 order by event.version',
    [name, id],
  );
  return rows.map(({ type }) => type);
}

export const finished = (id: string) =>
  until(`${id} to be done`, async () => {
    const all = await events(id);
    return all.includes('pay.done') && all.includes('reminded') && (await reacted(id)) === all.length;
  });

export async function reacted(id: string): Promise<number> {
  const { n } = await one<{ n: number }>(
    db,
    `select coalesce(max(reaction.version), 0) as n from reaction join workflow on key = workflow_key where name = $1 and id = $2`,
    [name, id],
  );
  return n;
}

/** A neighbour was served after this: whatever the old runner would have done is done. */
export async function neighbourServed(id: string): Promise<void> {
  await send(1, id);
  await finished(id);
}

/** What code of this version was called for. */
export const callsOf = (version: number) => calls.filter((call) => call.startsWith(`${version} `));
