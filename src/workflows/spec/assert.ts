/** Assertions of specs, and their error messages. */
import { AssertionError, deepStrictEqual, match, strictEqual } from 'node:assert';
import { SeineError } from '../../base/errors.ts';

export function assertReason(actual: string, expected: string | RegExp): void {
  if (expected instanceof RegExp) match(actual, expected);
  else strictEqual(actual, expected);
}

/** Includes a line diff. */
export function assertSame(actual: unknown, expected: unknown, sentence: string): void {
  try {
    deepStrictEqual(actual, expected);
  } catch (error) {
    if (error instanceof Error) error.message = `${sentence} ${error.message}`;
    throw error;
  }
}

export function unfinished(): SeineError {
  return new SeineError('usage', 'This spec has no assertion.', { hint: 'End it with .then(events).' });
}

export function fail(message: string): never {
  throw new AssertionError({ message, stackStartFn: fail });
}
