/** The retry policy, timeout and limits of an action. */
import { SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import { checkCount } from '../check-count.ts';
import { checkName } from '../check-name.ts';
import { milliseconds, timerMs, type Wait } from '../wait.ts';
import type { Action, Policy } from './action.ts';
import type { LimitSettings } from './limits/limited-store.ts';

type Run = Extract<Action, (...given: never) => unknown>;
type Step = Extract<Action, { readonly transaction: unknown }>['transaction'];

export interface ActionPolicy {
  readonly work: { readonly run: Run } | { readonly transaction: Step };
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly limits: (LimitSettings & { readonly keyOf: Policy['limitKey'] }) | null;
  /** The longest backoff before the second attempt, and before any. */
  readonly pauses: { readonly firstMs: number; readonly maxMs: number };
  /** Backoff after the nth attempt. */
  backoffAfter(attempt: number): number;
}

/** `name` is used in error messages. */
export function resolvePolicy(action: Action, name = 'the action'): ActionPolicy {
  const policy: Exclude<Action, Run> = typeof action === 'function' ? { run: action } : Object(action);
  const work = workOf(policy, name);
  const { attempts = 8, timeout = { seconds: 60 } } = policy;
  if (attempts !== Number.POSITIVE_INFINITY) checkCount(`The action ${name}`, 'attempts', attempts);
  const timeoutMs = timerMs(timeout, `The action ${name} has the timeout`);
  if (timeoutMs === 0) throw usageError(name, 'needs a timeout greater than 0');
  const pauses = pausesOf(policy, name);
  const limits = limitsOf(policy, name);
  return {
    work,
    attempts,
    timeoutMs,
    limits,
    pauses,
    backoffAfter: (attempt) => backoff(attempt - 1, pauses),
  };
}

function pausesOf({ firstWait = { seconds: 1 }, mostWait = { minutes: 5 } }: Policy, name: string) {
  return {
    firstMs: milliseconds(firstWait, `The action ${name} has the firstWait`),
    maxMs: milliseconds(mostWait, `The action ${name} has the mostWait`),
  };
}

/** Set by user code on an error that a retry can't fix. */
export function isNonRetryable(error: unknown): boolean {
  try {
    return (error as { retry?: unknown } | null | undefined)?.retry === false;
  } catch {
    return false; // a getter that throws
  }
}

function workOf(policy: Exclude<Action, Run>, name: string): ActionPolicy['work'] {
  checkName('The name of an action', name);
  const work: unknown = 'transaction' in policy ? policy.transaction : policy.run;
  if (typeof work !== 'function' || ('transaction' in policy && 'run' in policy))
    throw usageError(name, 'needs either `run` or `transaction`, a function');
  return 'transaction' in policy ? { transaction: policy.transaction } : { run: policy.run };
}

/** Time to fill an empty bucket. PostgreSQL computes with it, and a value out of range would fail the claims of all limited actions. */
const MAX_FILL_SECONDS = 100 * 365.25 * 86_400;

function limitsOf({ concurrency, rate, limitKey: keyOf }: Policy, name: string): ActionPolicy['limits'] {
  if (concurrency === undefined && rate === undefined) {
    if (keyOf === undefined) return null;
    throw usageError(name, 'has a limitKey but neither `concurrency` nor `rate`');
  }
  if (concurrency !== undefined) checkCount(`The action ${name}`, 'concurrency', concurrency);
  if (keyOf !== undefined && typeof keyOf !== 'function')
    throw usageError(name, 'needs a function as limitKey');
  if (rate === undefined) return { concurrency: concurrency!, burst: null, perSecond: null, keyOf };
  const { limit, per, burst = limit } = rate;
  checkCount(`The action ${name}`, 'rate.limit', limit);
  checkCount(`The action ${name}`, 'rate.burst', burst);
  const perSecond = (1000 * limit) / checkedPer(name, per);
  if (burst / perSecond > MAX_FILL_SECONDS)
    throw usageError(name, 'needs a rate that fills its bucket within 100 years: burst * per / limit');
  return { concurrency: concurrency ?? null, burst, perSecond, keyOf };
}

function checkedPer(name: string, per: Wait): number {
  const ms = milliseconds(per, `The action ${name} has the rate.per`);
  if (ms > 0) return ms;
  throw usageError(name, 'needs a rate.per greater than 0');
}

function usageError(name: string, message: string): SeineError {
  return new SeineError('usage', `The action ${name} ${message}.`, {
    hint: 'Correct it in the definition of the workflow.',
  });
}
