/** The key an action's limits are counted by: computed from its input by the reaction, and stored with it. */
import { messageOf, SeineError } from '../../../base/errors.ts';
import { checkName } from '../../check-name.ts';
import { ignoreRejections, isPromise } from '../../user-code/code-error.ts';
import { runCode } from '../../user-code/running-code.ts';
import type { Action, Policy } from '../action.ts';

/** For actions counted together, and for those whose key can't be computed: these fail when they are run. */
const SHARED_LIMIT_KEY = '*';

/** Null: the action has no limits. Never throws: one invalid key must not keep others from being written. */
export function storedLimitKey(action: Action | undefined, input: unknown): string | null {
  if (!action || typeof action === 'function') return null;
  if (action.concurrency === undefined && action.rate === undefined) return null;
  try {
    return checkedLimitKey(action.limitKey, JSON.parse(JSON.stringify(input ?? null)));
  } catch {
    return SHARED_LIMIT_KEY;
  }
}

/** Computed from the input as it is stored. Throws what the user's function throws. */
export function checkedLimitKey(keyOf: Policy['limitKey'], input: unknown): string {
  if (!keyOf) return SHARED_LIMIT_KEY;
  const key: unknown = runCode('limitKey', 'an action', () => keyOf(structuredClone(input))); // a copy: its mutations must not reach the action
  if (isPromise(key)) throw invalidLimitKey('it is a promise');
  ignoreRejections(key);
  const text = typeof key === 'number' && Number.isFinite(key) ? String(key) : key;
  if (typeof text !== 'string' || text === '') throw invalidLimitKey(`it is ${kindOf(key)}`);
  if (!text.isWellFormed()) throw invalidLimitKey('it contains a lone surrogate');
  try {
    checkName('It', text);
  } catch (error) {
    throw invalidLimitKey(messageOf(error));
  }
  return text;
}

function kindOf(value: unknown): string {
  if (value === '') return 'empty';
  if (typeof value === 'number') return String(value);
  return value === null ? 'null' : typeof value;
}

function invalidLimitKey(because: string): SeineError {
  return new SeineError('usage', `limitKey must return a string or a number: ${because}.`, {
    hint: 'Correct limitKey in the definition of the workflow.',
  });
}
