/**
 * The workflow of the simulation. Every event that is not the outcome of an action requests an action, and some send a command to another
 * workflow, set a timer, fail, or end it. The input of the action shows which event was reacted to, and with which state.
 */
import { SeineError } from '../../../src/base/errors.ts';
import type { Queryable } from '../../../src/db/database.ts';
import type { ActionDone, ActionFailed } from '../../../src/workflows/actions/action.ts';
import { reject } from '../../../src/workflows/decision.ts';
import { defineWorkflow } from '../../../src/workflows/define.ts';
import { act, after, cancelAction, complete, type Effect, tell } from '../../../src/workflows/effects.ts';

/** The effects of an event. */
export interface Plan {
  /** The workflow that gets a command. */
  readonly tells?: string;
  /** A timer, so many milliseconds. */
  readonly waits?: number;
  /** So many reactions to it fail. */
  readonly poison?: number;
  /** Reacting to it crashes the process. */
  readonly deadly?: boolean;
  /** So many tries of its action fail. */
  readonly fails?: number;
  /** How many checkpoints its action saves. */
  readonly saves?: number;
  readonly ends?: boolean;
  readonly cancels?: boolean;
}

export type RelayCommand =
  | { readonly type: 'add'; readonly plans: readonly Plan[] }
  | { readonly type: 'hear'; readonly token: string }
  | { readonly type: 'tick'; readonly token: string; readonly by: number };

export type RelayEvent =
  | { readonly type: 'added'; readonly plan: Plan; readonly by: number }
  | { readonly type: 'heard'; readonly token: string; readonly by: number }
  | { readonly type: 'ticked'; readonly token: string; readonly by: number }
  | ActionDone<'note', number>
  | ActionFailed<'note'>;

interface RelayState {
  /** Events so far, of the workflow's own kind. */
  readonly count: number;
  /** The highest version of the code that wrote one of them. */
  readonly by: number;
}

export interface NoteInput {
  /** The version of the code that asked for it. */
  readonly by: number;
  readonly version: number;
  readonly count: number;
  readonly fails: number;
  readonly saves: number;
}

export const NAME = 'relay';
/** More than the number of faults: no action fails because of its processes. */
const ACTION_ATTEMPTS = 12;
/** So often fails what can't go well. */
export const ALWAYS = 1000;

export interface RelayWorld {
  /** Reactions that failed so far, by event. */
  readonly failures: Map<string, number>;
  /** What must never happen. */
  readonly broken: string[];
}

/**
 * `db`: of the process that runs its actions; `die`: ends the process that reacts. Code of each version notices when it is given what a newer
 * one wrote.
 */
export function relay(world: RelayWorld, db: () => Queryable, version: number, die: () => void = () => {}) {
  const given = (what: string, by: number) => {
    if (by > version) world.broken.push(`version ${version} was given what version ${by} wrote: ${what}`);
  };
  return defineWorkflow<RelayState, RelayCommand, RelayEvent>({
    name: NAME,
    version,
    upcast: { 1: (event) => event },
    snapshotEvery: 4,
    initial: () => ({ count: 0, by: 1 }),
    decide: (state, command) => {
      given('a state', state.by);
      if (command.type === 'add')
        return command.plans.length > 0
          ? command.plans.map((plan) => ({ type: 'added' as const, plan, by: version }))
          : reject('nothing to add');
      if (command.type === 'tick') given('a timer', command.by);
      return { type: command.type === 'hear' ? 'heard' : 'ticked', token: command.token, by: version };
    },
    evolve: ({ count, by }, event) => {
      const of = 'by' in event ? event.by : 1;
      given('an event', of);
      return { count: count + 1, by: Math.max(by, of) };
    },
    react: (event, state, { id, version: n }) => {
      given('a state to react to', state.by);
      if (event.type === 'note.done' || event.type === 'note.failed') return [];
      const plan = event.type === 'added' ? event.plan : {};
      if (plan.deadly) die();
      fail(world, `${id}/${n}`, plan.poison ?? 0);
      return effectsOf(plan, `${id}/${n}`, { version: n, count: state.count, by: version });
    },
    actions: {
      note: {
        attempts: ACTION_ATTEMPTS,
        run: async (input: NoteInput, { idempotencyKey, attempt, checkpoint }) => {
          given('an action', input.by);
          for (let n = 0; n < input.saves; n++) await checkpoint.save(n);
          await noteEffect(db(), idempotencyKey, input.count);
          if (attempt <= input.fails)
            throw new SeineError('unavailable', 'not now', { retry: input.fails < ALWAYS });
          return input.version;
        },
      },
    },
  });
}

function fail({ failures }: RelayWorld, event: string, times: number): void {
  const before = failures.get(event) ?? 0;
  if (before >= times) return;
  failures.set(event, before + 1);
  throw new Error('poison');
}

function effectsOf(
  plan: Plan,
  token: string,
  of: Pick<NoteInput, 'version' | 'count' | 'by'>,
): Effect<RelayCommand>[] {
  const { fails = 0, saves = 0 } = plan;
  const input: NoteInput = { ...of, fails, saves };
  return [
    ...(plan.cancels ? [cancelAction('note')] : []),
    act('note', input),
    ...(plan.tells === undefined
      ? []
      : [tell<RelayCommand>({ name: NAME }, plan.tells, { type: 'hear', token })]),
    ...(plan.waits === undefined
      ? []
      : [after<RelayCommand>(plan.waits, { type: 'tick', token, by: of.by }, token)]),
    ...(plan.ends ? [complete()] : []),
  ];
}

/** The world outside: once for each key, however often it is asked. */
async function noteEffect(db: Queryable, key: string, count: number): Promise<void> {
  await db.query(
    `insert into effect (key, calls, count) values ($1, 1, $2)
     on conflict (key) do update set calls = effect.calls + 1`,
    [key, count],
  );
}
