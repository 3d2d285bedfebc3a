/** Simulated actions: functions of the test, retried by the workflow's policy in virtual time. */
import { SeineError } from '../../base/errors.ts';
import type { NewEvent } from '../../events/append-store.ts';
import type { Action, ActionContext } from '../actions/action.ts';
import { errorText } from '../actions/error-text.ts';
import { isNonRetryable, resolvePolicy } from '../actions/policy.ts';
import type { Effect } from '../effects.ts';
import { milliseconds, type Wait } from '../wait.ts';
import { type EventHistory, jsonRoundTrip, TENANT } from './event-history.ts';
import type { EventQueue } from './event-queue.ts';

export type Run = Extract<Action, (...given: never) => unknown>;

export interface SimulatedAction {
  readonly name: string;
  readonly input: unknown;
  readonly idempotencyKey: string;
  /** The key given to `act`. */
  readonly key: string | null;
  result: unknown;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  attempts: number;
  /** Error of the last failed attempt. */
  error: string | null;
  checkpoint: unknown;
  readonly ending: AbortController;
}

const duration = Symbol('duration');
type DelayedRun = Run & { readonly [duration]?: number };

/** An action that takes some virtual time; `lasting(Infinity)` runs into its timeout. */
export function delayed(wait: Wait, run: Run = async () => null): Run {
  const slow: Run = (input, context) => run(input, context);
  return Object.assign(slow, {
    [duration]: wait === Number.POSITIVE_INFINITY ? wait : milliseconds(wait, 'lasting() was given'),
  });
}

type ActionHistory = EventHistory & { readonly actions: readonly SimulatedAction[] };

export interface ActionRuntime {
  readonly queue: EventQueue;
  readonly actions: Readonly<Record<string, Run>>;
  record(history: EventHistory, event: NewEvent): void;
}

export function newAction(
  { workflow, id }: EventHistory,
  version: number,
  n: number,
  { action: name, input, key }: Extract<Effect, { do: 'act' }>,
): SimulatedAction {
  const idempotencyKey = key ?? `${TENANT}/${workflow.name}/${id}/${version}/${n}`;
  const ending = new AbortController();
  return {
    name,
    input: jsonRoundTrip(input ?? null),
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

/** The last action with the same key in one of these states. */
export function earlierOf(
  actions: readonly SimulatedAction[],
  { name, key }: SimulatedAction,
  states: readonly SimulatedAction['state'][],
): SimulatedAction | undefined {
  if (key === null) return undefined;
  return actions.findLast((one) => one.name === name && one.key === key && states.includes(one.state));
}

export async function runAttempt(
  stage: ActionRuntime,
  history: ActionHistory,
  action: SimulatedAction,
): Promise<void> {
  if (action.state !== 'waiting') return;
  const done = earlierOf(history.actions, action, ['done']);
  if (done) return ended(stage, history, action, { result: done.result });
  const run: DelayedRun = runOf(stage, action.name);
  const { timeoutMs } = policyOf(history, action.name);
  const attempt = ++action.attempts;
  action.state = 'running';
  const timeUp = new AbortController();
  const answer = await answerOf(run, action, contextOf(history, action, timeUp));
  const takes = run[duration] ?? 0;
  stage.queue.add(Math.min(takes, timeoutMs), () => {
    if (action.state !== 'running' || action.attempts !== attempt) return;
    if (takes <= timeoutMs) return ended(stage, history, action, answer);
    timeUp.abort();
    ended(stage, history, action, {
      error: new Error(`It took longer than ${timeoutMs} ms.`),
    });
  });
}

export function cancel(action: SimulatedAction): void {
  if (action.state !== 'waiting' && action.state !== 'running') return;
  action.state = 'cancelled';
  action.ending.abort();
}

type Answer = { readonly result: unknown } | { readonly error: unknown };

async function answerOf(run: Run, { input }: SimulatedAction, context: ActionContext): Promise<Answer> {
  try {
    return { result: jsonRoundTrip(await run(input, context)) ?? null };
  } catch (error) {
    return { error };
  }
}

function ended(stage: ActionRuntime, history: ActionHistory, action: SimulatedAction, answer: Answer): void {
  if ('result' in answer) {
    action.state = 'done';
    action.result = answer.result;
    return stage.record(history, { type: `${action.name}.done`, data: { result: answer.result } });
  }
  action.error = errorText(answer.error);
  if (action.attempts < policyOf(history, action.name).attempts && !isNonRetryable(answer.error)) {
    action.state = 'waiting';
    return stage.queue.add(pauseAfter(history, action), () => runAttempt(stage, history, action));
  }
  action.state = 'failed';
  const data = { error: action.error, attempts: action.attempts };
  stage.record(history, { type: `${action.name}.failed`, data });
}

function contextOf(
  { workflow, id }: EventHistory,
  action: SimulatedAction,
  timeUp: AbortController,
): ActionContext {
  return {
    idempotencyKey: action.idempotencyKey,
    attempt: action.attempts,
    checkpoint: {
      value: action.checkpoint,
      save: async (value) => {
        action.checkpoint = jsonRoundTrip(value);
      },
    },
    signal: AbortSignal.any([action.ending.signal, timeUp.signal]),
    workflow: { name: workflow.name, id },
  };
}

function runOf({ actions }: ActionRuntime, name: string): Run {
  const run = actions[name];
  if (run) return run;
  throw new SeineError('usage', `The trial has no function for the action ${name}.`, {
    hint: `Pass one: trial(workflow, { actions: { ${name}: async (input) => … } }).`,
  });
}

function policyOf({ workflow }: EventHistory, name: string) {
  return resolvePolicy(workflow.actions![name]!);
}

/** The maximum backoff of the policy: a runner adds jitter below it. */
function pauseAfter(history: EventHistory, { name, attempts }: SimulatedAction): number {
  const { firstMs, maxMs } = policyOf(history, name).pauses;
  return Math.min(maxMs, firstMs * 2 ** (attempts - 1));
}
