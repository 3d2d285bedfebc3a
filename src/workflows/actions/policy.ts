/** How often, how long, and after which pause an action is tried. */
import { backoff } from '../../base/retry.ts';
import { milliseconds } from '../wait.ts';
import type { Action, Policy } from './action.ts';

type Run = Extract<Action, (...given: never) => unknown>;

/** Of a timer of Node: a longer one would go off at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export interface Rules {
  readonly run: Run;
  readonly attempts: number;
  readonly timeoutMs: number;
  /** Before the try that follows the nth. */
  pauseAfter(attempt: number): number;
}

export function rulesOf(action: Action): Rules {
  const policy: { readonly run: Run } & Policy = typeof action === 'function' ? { run: action } : action;
  const { run, attempts = 8, timeout = { seconds: 60 }, firstWait = { seconds: 1 } } = policy;
  const wait = { firstMs: milliseconds(firstWait), mostMs: milliseconds(policy.mostWait ?? { minutes: 5 }) };
  return {
    run,
    attempts,
    timeoutMs: Math.min(milliseconds(timeout), LONGEST_TIMER),
    pauseAfter: (attempt) => backoff(attempt - 1, wait),
  };
}

/** Its thrower knows that another try won't help. */
export function isHopeless(error: unknown): boolean {
  return (error as { retry?: unknown } | null | undefined)?.retry === false;
}
