/**
 * Calls of user code. An error in one of them affects that workflow only: it names the function, the workflow, the input, and what to do next. Return
 * values are validated before anything else depends on them.
 */
import { inspect } from 'node:util';
import { messageOf, SeineError } from '../../base/errors.ts';
import { entering, leaving } from './running-code.ts';

/** The function, and its input. */
export interface CodeLocation {
  readonly callback:
    | 'initial'
    | 'decide'
    | 'evolve'
    | 'react'
    | 'receive'
    | 'upcast'
    | 'tags'
    | 'attributes'
    | 'migrateState'
    | 'until';
  readonly workflow: string;
  /** 'event 3 (placed)', 'the command pay'. */
  readonly subject: string;
  /** Unknown where states are folded; added by the caller, see `withId`. */
  readonly id?: string | undefined;
}

export class UserCodeError extends SeineError {
  readonly place: CodeLocation;
  readonly problem: string;

  constructor(
    place: CodeLocation,
    problem: string,
    more: { hint?: string | undefined; cause?: unknown } = {},
  ) {
    const { callback, workflow, subject, id } = place;
    const { cause, hint = hintFor(callback) } = more;
    const kind = cause instanceof SeineError ? cause.kind : 'internal';
    const of = id === undefined ? workflow : `${workflow} ${id}`;
    super(kind, `${callback} of ${of} failed on ${subject}: ${problem.replace(/\.$/, '')}.`, {
      hint,
      retry: cause instanceof SeineError && cause.retry,
      cause,
    });
    this.place = place;
    this.problem = problem;
  }
}

/** Adds the id of the workflow to an error of user code that has none yet. */
export function withId(error: unknown, id: string): unknown {
  if (!(error instanceof UserCodeError) || error.place.id !== undefined) return error;
  const { problem, hint, cause } = error;
  return new UserCodeError({ ...error.place, id }, problem, { hint, cause });
}

/** What happened and what to do next, for logs and for what is stored with a reaction or message; `parked` describes how to resume it. */
export function formatReport(error: unknown, parked: { workflow: string; id: string } | null = null): string {
  const hint = error instanceof SeineError ? error.hint : undefined;
  const next = parked && `Then run: seine workflows retry ${parked.workflow} ${parked.id}`;
  return [messageOf(error), hint, next].filter(Boolean).join(' ');
}

/**
 * Calls user code and validates its result. Whatever was thrown becomes a `UserCodeError`. A promise is rejected: these functions run synchronously
 * between reading and writing. Its rejection is handled, as an unhandled one would end the process.
 */
export function callUserCode<T, R = T>(
  place: () => CodeLocation,
  call: () => T,
  check: (value: T) => R = (value) => value as unknown as R,
): R {
  entering(place);
  return calledCode(place, call, check);
}

/** The same, for callers that have already recorded the running function (a fast path). */
export function calledCode<T, R>(place: () => CodeLocation, call: () => T, check: (value: T) => R): R {
  try {
    const value = call();
    if (isPromise(value)) throw new SeineError('usage', 'it returned a promise', { hint: NO_PROMISE });
    try {
      return check(value);
    } catch (error) {
      ignoreRejections(value);
      throw error;
    }
  } catch (thrown) {
    const error = toReadableError(thrown);
    if (error instanceof UserCodeError) throw error;
    throw userCodeError(place(), error);
  } finally {
    leaving();
  }
}

/** The thrown value as an error: anything may be thrown, even a value whose access throws. */
export function toReadableError(thrown: unknown): unknown {
  try {
    if (thrown instanceof Error) void thrown.message;
    else formatValue(thrown);
    return thrown;
  } catch {
    return new Error('it threw something that cannot be shown');
  }
}

const NO_PROMISE = 'The functions of a workflow must be synchronous. Move slow work to an action.';

export function userCodeError(place: CodeLocation, error: unknown): UserCodeError {
  if (isWriteToFrozen(error)) {
    const problem = `it mutated its argument: ${messageOf(error)}`;
    return new UserCodeError(place, problem, {
      cause: error,
      hint: 'States, events and commands are frozen. Return a new object: { ...state, … }.',
    });
  }
  return new UserCodeError(place, problemOf(error), {
    cause: error,
    hint: error instanceof SeineError ? error.hint : undefined,
  });
}

function problemOf(error: unknown): string {
  return error instanceof Error || typeof error === 'string'
    ? messageOf(error)
    : `it threw ${formatValue(error)}`;
}

function isWriteToFrozen(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    /read only property|object is not extensible|Cannot delete property|Cannot redefine/.test(error.message)
  );
}

/** True for any thenable. */
export function isPromise(value: unknown): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  if (typeof (value as { then?: unknown }).then !== 'function') return false;
  Promise.resolve(value).catch(() => {});
  return true;
}

/** Handles promises in an invalid value: nothing awaits them, and an unhandled rejection would end the process. */
export function ignoreRejections(value: unknown, levels = 4): void {
  if (typeof value !== 'object' || value === null || levels === 0) return;
  try {
    if (isPromise(value)) return;
    for (const { value: part } of Object.values(Object.getOwnPropertyDescriptors(value)).slice(0, 1000))
      ignoreRejections(part, levels - 1);
  } catch {
    // A proxy or a getter: not traversed.
  }
}

/** Formats a value for a message: short, and never throws. */
export function formatValue(value: unknown): string {
  const options = { depth: 1, maxArrayLength: 3, maxStringLength: 80, breakLength: Number.POSITIVE_INFINITY };
  try {
    const json = typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined;
    return (json ?? inspect(value, options)).slice(0, 200);
  } catch {
    return inspect(value, { ...options, customInspect: false, getters: false }).slice(0, 200);
  }
}

function hintFor(callback: CodeLocation['callback']): string {
  if (callback === 'decide')
    return 'Correct `decide` in the definition of the workflow. If there is no such command, list those that exist: commands: [ … ].';
  return `Correct \`${callback}\` in the definition of the workflow.`;
}
