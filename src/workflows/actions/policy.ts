/** How often, how long, and after which pause an action is tried, and how many of it at a time. */
import { SeineError } from '../../base/errors.ts';
import { backoff } from '../../base/retry.ts';
import { checkName } from '../check-name.ts';
import { milliseconds, type Wait } from '../wait.ts';
import type { Action, Policy } from './action.ts';
import type { Limits } from './limited-store.ts';

type Run = Extract<Action, (...given: never) => unknown>;
type Step = Extract<Action, { readonly transaction: unknown }>['transaction'];

/** Of a timer of Node: a longer one would go off at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export interface Rules {
  readonly work: { readonly run: Run } | { readonly transaction: Step };
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly limits: (Limits & { readonly keyOf: Policy['limitKey'] }) | null;
  /** Before the try that follows the nth. */
  pauseAfter(attempt: number): number;
}

/** `name` is what mistakes are reported under. */
export function rulesOf(action: Action, name = 'the action'): Rules {
  const policy: Exclude<Action, Run> = typeof action === 'function' ? { run: action } : action;
  const { attempts = 8, timeout = { seconds: 60 }, firstWait = { seconds: 1 } } = policy;
  const wait = { firstMs: milliseconds(firstWait), mostMs: milliseconds(policy.mostWait ?? { minutes: 5 }) };
  return {
    work: workOf(policy, name),
    attempts,
    timeoutMs: Math.min(milliseconds(timeout), LONGEST_TIMER),
    limits: limitsOf(policy, name),
    pauseAfter: (attempt) => backoff(attempt - 1, wait),
  };
}

/** Its thrower knows that another try won't help. */
export function isHopeless(error: unknown): boolean {
  try {
    return (error as { retry?: unknown } | null | undefined)?.retry === false;
  } catch {
    return false; // a getter that throws
  }
}

function workOf(policy: Exclude<Action, Run>, name: string): Rules['work'] {
  checkName('The name of an action', name);
  const work: unknown = 'transaction' in policy ? policy.transaction : policy.run;
  if (typeof work !== 'function' || ('transaction' in policy && 'run' in policy))
    throw mistake(name, 'needs either `run` or `transaction`, a function');
  return 'transaction' in policy ? { transaction: policy.transaction } : { run: policy.run };
}

/** PostgreSQL counts so far, and no rate means more. */
const MOST = 1_000_000_000;
/** Until an empty bucket is full. PostgreSQL computes times with it, and one that is out of range would fail the claims of all limited actions. */
const MOST_FILLING_SECONDS = 100 * 365.25 * 86_400;

function limitsOf({ concurrency, rate, limitKey: keyOf }: Policy, name: string): Rules['limits'] {
  if (concurrency === undefined && rate === undefined) {
    if (keyOf === undefined) return null;
    throw mistake(name, 'has a limitKey but neither `concurrency` nor `rate`');
  }
  if (concurrency !== undefined) checkCount(name, 'concurrency', concurrency);
  if (keyOf !== undefined && typeof keyOf !== 'function') throw mistake(name, 'needs a function as limitKey');
  if (rate === undefined) return { concurrency: concurrency!, burst: null, perSecond: null, keyOf };
  const { limit, per, burst = limit } = rate;
  checkCount(name, 'rate.limit', limit);
  checkCount(name, 'rate.burst', burst);
  const perSecond = (1000 * limit) / checkedPer(name, per);
  if (burst / perSecond > MOST_FILLING_SECONDS)
    throw mistake(name, 'needs a rate that fills its bucket within 100 years: burst * per / limit');
  return { concurrency: concurrency ?? null, burst, perSecond, keyOf };
}

function checkCount(name: string, what: string, count: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= MOST) return;
  throw mistake(name, `needs a whole number of at least 1 as ${what}, not ${String(count)}`);
}

function checkedPer(name: string, per: Wait): number {
  const ms = milliseconds(per ?? Number.NaN);
  if (ms > 0 && Number.isFinite(ms)) return ms;
  throw mistake(name, 'needs a time of more than 0 as rate.per');
}

function mistake(name: string, message: string): SeineError {
  return new SeineError('usage', `The action ${name} ${message}.`, {
    hint: 'Correct it in the definition of the workflow.',
  });
}
