/** One attempt of one action: its timeout, signal, checkpoint and outcome. */
import { SeineError } from '../../base/errors.ts';
import { withRetry } from '../../base/retry.ts';
import type { Database, Queryable } from '../../db/database.ts';
import { traceAction } from '../telemetry/spans.ts';
import { runCode } from '../user-code/running-code.ts';
import type { ActionContext } from './action.ts';
import { saveCheckpoint } from './action-store.ts';
import type { ClaimedAction } from './claim-store.ts';
import { crashLimitError } from './crash-suspects.ts';
import { errorText, jsonOf } from './error-text.ts';
import { checkedLimitKey } from './limits/limit-key.ts';
import { type ActionPolicy, isNonRetryable } from './policy.ts';
import { LOST, runStep, type StepFailure, type StepSemaphore, type Work } from './transaction-step.ts';
import { actionScope } from './uncaught-errors.ts';

export type ActionResult =
  | { readonly as: 'done'; readonly result: string }
  | { readonly as: 'failed'; readonly error: string; readonly unrun?: boolean }
  | { readonly as: 'again'; readonly error: string; readonly delayMs: number }
  /** Its transaction has written everything; `keys` are the workflows appended to. */
  | { readonly as: 'ended'; readonly keys: ReadonlySet<number> }
  /** Another process has it, or it was cancelled: there is nothing to write. */
  | { readonly as: 'lost' }
  /** It was interrupted by the shutdown of this process. */
  | { readonly as: 'interrupted' };

export interface ActionRun {
  readonly claimed: ClaimedAction;
  readonly outcome: Promise<ActionResult>;
  /** Aborts its signal, and waits no longer. */
  markLost(): void;
  /** Aborts its signal. A result it still returns counts. */
  interrupt(): void;
  /** Waits no longer. */
  stopWaiting(): void;
}

export interface RunOptions {
  readonly leaseMs: number;
  /** Schema version of the event its result becomes. */
  readonly schema: number;
  /** Limits the open action transactions of this process. */
  readonly steps: StepSemaphore;
}

type AttemptResult =
  | { readonly result: unknown }
  | StepFailure
  | { readonly keys: ReadonlySet<number> }
  | 'lost'
  | 'interrupted';

export function startAction(
  db: Database,
  rules: ActionPolicy,
  claimed: ClaimedAction,
  options: RunOptions,
): ActionRun {
  const stopping = new AbortController();
  const given = Promise.withResolvers<AttemptResult>();
  const { leaseMs } = options;
  const markLost = () => {
    stopping.abort(new SeineError('conflict', 'The lease of this action was lost, or it was cancelled.'));
    given.resolve('lost');
  };
  const late = () => {
    const error = new SeineError('limit', `It took longer than ${rules.timeoutMs} ms.`, { retry: true });
    stopping.abort(error);
    given.resolve({ error });
  };
  const context = contextOf(db, claimed, { signal: stopping.signal, leaseMs, markLost });
  const scope = {
    label: `${claimed.workflow} ${claimed.workflowId} ${claimed.name}`,
    fail: (error: unknown) => {
      stopping.abort(error);
      given.resolve({ error });
    },
  };
  const limited = async (work: () => Promise<AttemptResult>): Promise<AttemptResult> => {
    const timer = setTimeout(late, rules.timeoutMs);
    try {
      return await Promise.race([actionScope.run(scope, work), given.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  const attempted = async (): Promise<AttemptResult> => {
    const { work } = rules;
    if ('run' in work)
      return limited(() =>
        attempt(() =>
          traceAction(claimed, async () =>
            runCode('action', scope.label, () => work.run(claimed.input, context)),
          ),
        ),
      );
    const free = await options.steps.acquire(given.promise);
    if (!free) return given.promise;
    const { checkpoint: _, ...rest } = context;
    const step = { claimed, context: rest, schema: options.schema, timeoutMs: rules.timeoutMs };
    return limited(() => runStep(db, traced(claimed, work.transaction), step).finally(free));
  };
  const run = async (): Promise<ActionResult> => {
    const known = resultWithoutRun(rules, claimed);
    if (known) return known;
    let ended = await attempted();
    const interrupted = stopping.signal.aborted && stopping.signal.reason === INTERRUPTED;
    if (interrupted && typeof ended === 'object' && 'error' in ended) ended = 'interrupted';
    return toActionResult(ended, rules, claimed);
  };
  return {
    claimed,
    outcome: run(),
    markLost,
    interrupt: () => stopping.abort(INTERRUPTED),
    stopWaiting: () => given.resolve('interrupted'),
  };
}

const INTERRUPTED = new SeineError(
  'unavailable',
  'This process is shutting down; another one continues the action.',
);

/** The outcome if it must not be run again. */
function resultWithoutRun(rules: ActionPolicy, claimed: ClaimedAction): ActionResult | null {
  const crashed = crashLimitError(claimed);
  if (crashed) return { as: 'failed', error: crashed, unrun: true };
  if (claimed.attempts > rules.attempts)
    return { as: 'failed', error: claimed.error ?? 'The runner crashed on every attempt.', unrun: true };
  if (claimed.earlier !== null) return { as: 'done', result: claimed.earlier };
  if (!rules.limits) return null;
  try {
    checkedLimitKey(rules.limits.keyOf, claimed.input);
    return null;
  } catch (error) {
    return { as: 'failed', error: errorText(new Error(`limitKey failed: ${errorText(error)}`)) };
  }
}

function traced(claimed: ClaimedAction, work: Work): Work {
  const { workflow, workflowId, name } = claimed;
  const label = `${workflow} ${workflowId} ${name}`;
  return (...given) => traceAction(claimed, async () => runCode('action', label, () => work(...given)));
}

async function attempt(work: () => Promise<unknown>): Promise<AttemptResult> {
  try {
    return { result: await work() };
  } catch (error) {
    return { error };
  }
}

function toActionResult(
  attempted: AttemptResult,
  rules: ActionPolicy,
  { attempts, name }: ClaimedAction,
): ActionResult {
  if (typeof attempted === 'string') return { as: attempted };
  if ('keys' in attempted) return { as: 'ended', keys: attempted.keys };
  let error: unknown;
  if ('error' in attempted) {
    if (attempted.error === LOST) return { as: 'lost' };
    error = attempted.error;
  } else {
    try {
      return { as: 'done', result: jsonOf(attempted.result, `The result of ${name}`) };
    } catch (cause) {
      error = cause;
    }
  }
  const reason = errorText(error);
  const isFinal = isNonRetryable(error) && !('mayPass' in attempted && attempted.mayPass);
  return isFinal || attempts >= rules.attempts
    ? { as: 'failed', error: reason }
    : { as: 'again', error: reason, delayMs: rules.backoffAfter(attempts) };
}

function contextOf(
  db: Queryable,
  claimed: ClaimedAction,
  of: { signal: AbortSignal; leaseMs: number; markLost: () => void },
): ActionContext {
  const { tenant, workflow, workflowId, version, n, key, attempts, crashes, checkpoint, name } = claimed;
  const save = async (value: unknown) => {
    const json = jsonOf(value, `The checkpoint of ${name}`);
    const kept = await withRetry(() => saveCheckpoint(db, claimed, json, of.leaseMs), { forMs: of.leaseMs });
    if (kept) return;
    of.markLost();
    throw new SeineError('conflict', 'Checkpoint not saved: the lease of the action was lost.', {
      hint: 'No action needed: another process continues it, or it was cancelled.',
    });
  };
  return {
    idempotencyKey: key ?? `${tenant}/${workflow}/${workflowId}/${version}/${n}`,
    attempt: attempts + crashes,
    checkpoint: { value: checkpoint ?? undefined, save },
    signal: of.signal,
    workflow: { name: workflow, id: workflowId },
  };
}
