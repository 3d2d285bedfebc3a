/** Actions in a trial: functions of the test, tried as often as the workflow's policy says, in the trial's own time. */
import { SeineError } from '../../base/errors.ts';
import type { NewEvent } from '../../events/append-store.ts';
import type { Action, ActionContext } from '../actions/action.ts';
import { errorText } from '../actions/error-text.ts';
import { isHopeless, rulesOf } from '../actions/policy.ts';
import type { Effect } from '../effects.ts';
import { milliseconds, type Wait } from '../wait.ts';
import type { Agenda } from './agenda.ts';
import { type Story, stored, TENANT } from './story.ts';

export type Run = Extract<Action, (...given: never) => unknown>;

export interface TrialAction {
  readonly name: string;
  readonly input: unknown;
  readonly idempotencyKey: string;
  /** The key that `act` gave. */
  readonly key: string | null;
  result: unknown;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  attempts: number;
  /** Of the last try that failed. */
  error: string | null;
  checkpoint: unknown;
  readonly ending: AbortController;
}

const duration = Symbol('duration');
type Lasting = Run & { readonly [duration]?: number };

/** An action whose answer takes a while of the trial's time; `lasting(Infinity)` never answers, until its time is up. */
export function lasting(wait: Wait, run: Run = async () => null): Run {
  const slow: Run = (input, context) => run(input, context);
  return Object.assign(slow, {
    [duration]: wait === Number.POSITIVE_INFINITY ? wait : milliseconds(wait, 'lasting() was given'),
  });
}

type Life = Story & { readonly actions: readonly TrialAction[] };

export interface Stage {
  readonly agenda: Agenda;
  readonly actions: Readonly<Record<string, Run>>;
  record(story: Story, event: NewEvent): void;
}

export function newAction(
  { workflow, id }: Story,
  version: number,
  n: number,
  { action: name, input, key }: Extract<Effect, { do: 'act' }>,
): TrialAction {
  const idempotencyKey = key ?? `${TENANT}/${workflow.name}/${id}/${version}/${n}`;
  const ending = new AbortController();
  return {
    name,
    input: stored(input ?? null),
    idempotencyKey,
    key: key ?? null,
    result: undefined,
    state: 'waiting',
    attempts: 0,
    error: null,
    checkpoint: undefined,
    ending,
  };
}

/** The last of them with the key of this one, in one of these states. */
export function earlierOf(
  actions: readonly TrialAction[],
  { name, key }: TrialAction,
  states: readonly TrialAction['state'][],
): TrialAction | undefined {
  if (key === null) return undefined;
  return actions.findLast((one) => one.name === name && one.key === key && states.includes(one.state));
}

export async function tryAction(stage: Stage, story: Life, action: TrialAction): Promise<void> {
  if (action.state !== 'waiting') return;
  const done = earlierOf(story.actions, action, ['done']);
  if (done) return ended(stage, story, action, { result: done.result });
  const run: Lasting = runOf(stage, action.name);
  const { timeoutMs } = rulesFor(story, action.name);
  const attempt = ++action.attempts;
  action.state = 'running';
  const timeUp = new AbortController();
  const answer = await answerOf(run, action, contextOf(story, action, timeUp));
  const takes = run[duration] ?? 0;
  stage.agenda.add(Math.min(takes, timeoutMs), () => {
    if (action.state !== 'running' || action.attempts !== attempt) return;
    if (takes <= timeoutMs) return ended(stage, story, action, answer);
    timeUp.abort();
    ended(stage, story, action, {
      error: new Error(`It took longer than ${timeoutMs} ms.`),
    });
  });
}

export function cancel(action: TrialAction): void {
  if (action.state !== 'waiting' && action.state !== 'running') return;
  action.state = 'cancelled';
  action.ending.abort();
}

type Answer = { readonly result: unknown } | { readonly error: unknown };

async function answerOf(run: Run, { input }: TrialAction, context: ActionContext): Promise<Answer> {
  try {
    return { result: stored(await run(input, context)) ?? null };
  } catch (error) {
    return { error };
  }
}

function ended(stage: Stage, story: Life, action: TrialAction, answer: Answer): void {
  if ('result' in answer) {
    action.state = 'done';
    action.result = answer.result;
    return stage.record(story, { type: `${action.name}.done`, data: { result: answer.result } });
  }
  action.error = errorText(answer.error);
  if (action.attempts < rulesFor(story, action.name).attempts && !isHopeless(answer.error)) {
    action.state = 'waiting';
    return stage.agenda.add(pauseAfter(story, action), () => tryAction(stage, story, action));
  }
  action.state = 'failed';
  const data = { error: action.error, attempts: action.attempts };
  stage.record(story, { type: `${action.name}.failed`, data });
}

function contextOf({ workflow, id }: Story, action: TrialAction, timeUp: AbortController): ActionContext {
  return {
    idempotencyKey: action.idempotencyKey,
    attempt: action.attempts,
    checkpoint: {
      value: action.checkpoint,
      save: async (value) => {
        action.checkpoint = stored(value);
      },
    },
    signal: AbortSignal.any([action.ending.signal, timeUp.signal]),
    workflow: { name: workflow.name, id },
  };
}

function runOf({ actions }: Stage, name: string): Run {
  const run = actions[name];
  if (run) return run;
  throw new SeineError('usage', `The trial does not know what ${name} does.`, {
    hint: `Tell it: trial(workflow, { actions: { ${name}: async (input) => … } }).`,
  });
}

function rulesFor({ workflow }: Story, name: string) {
  return rulesOf(workflow.actions![name]!);
}

/** The longest that the policy allows: a runner draws lots below it. */
function pauseAfter(story: Story, { name, attempts }: TrialAction): number {
  const { firstMs, mostMs } = rulesFor(story, name).pauses;
  return Math.min(mostMs, firstMs * 2 ** (attempts - 1));
}
