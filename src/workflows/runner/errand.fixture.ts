/** A workflow for tests of runners: does one action for each command, and writes down every effect in a table of its own. */
import { type Database, many } from '../../db/database.ts';
import type { ActionContext, ActionDone, ActionFailed } from '../actions/action.ts';
import { defineWorkflow } from '../define.ts';
import { act, complete, type Effect } from '../effects.ts';

export type ErrandCommand = { readonly type: 'run'; readonly n: number } | { readonly type: 'end' };
export type ErrandEvent =
  | { readonly type: 'asked'; readonly n: number }
  | { readonly type: 'ended' }
  | ActionDone<'work', number>
  | ActionFailed<'work'>;

export interface ErrandState {
  readonly asked: readonly number[];
  readonly done: number;
  readonly failed: number;
}

export interface ErrandOptions {
  readonly name?: string;
  readonly work?: (input: { n: number }, context: ActionContext) => Promise<number>;
  /** Called for each event that is reacted to; may throw. */
  readonly reacting?: (event: ErrandEvent, id: string, version: number) => void;
  readonly more?: (event: ErrandEvent, state: ErrandState) => Effect<ErrandCommand>[];
}

export function errand({ name = 'errand', work = async ({ n }) => n, reacting, more }: ErrandOptions = {}) {
  return defineWorkflow<ErrandState, ErrandCommand, ErrandEvent>({
    name,
    initial: () => ({ asked: [], done: 0, failed: 0 }),
    decide: (_, command) => (command.type === 'run' ? { type: 'asked', n: command.n } : { type: 'ended' }),
    evolve: (state, event) => {
      if (event.type === 'asked') return { ...state, asked: [...state.asked, event.n] };
      if (event.type === 'work.done') return { ...state, done: state.done + 1 };
      return event.type === 'work.failed' ? { ...state, failed: state.failed + 1 } : state;
    },
    react: (event, state, { id, version }) => {
      reacting?.(event, id, version);
      const effects = more?.(event, state) ?? [];
      if (event.type === 'asked') return [...effects, act('work', { n: event.n })];
      return event.type === 'ended' ? [...effects, complete()] : effects;
    },
    actions: { work: { run: work, firstWait: 10, mostWait: 50, attempts: 3 } },
  });
}

/** How many actions there are in each state. */
export async function actionStates(db: Database, workflow: string): Promise<Record<string, number>> {
  const rows = await many<{ state: string; n: number }>(
    db,
    'select state, count(*) as n from action where workflow = $1 group by state',
    [workflow],
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}
