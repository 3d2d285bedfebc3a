/**
 * Uncaught errors: an unhandled promise rejection of user code, or an exception in a timer it has set. By default Node ends the process, with all
 * other actions in it. Here they are attributed to the action whose code caused them.
 *
 *   caused by a running action   its attempt fails with this error
 *   by one that has ended        reported; its result stands
 *   by anything else             a rejection is reported; an exception ends the process, as by default
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { errorText } from './error-text.ts';

export interface ActionScope {
  /** Name of the action in messages. */
  readonly label: string;
  /** No effect once it has ended. */
  fail(error: unknown): void;
}

/** Propagates an action's scope into its timers and promises. */
export const actionScope = new AsyncLocalStorage<ActionScope>();

/** Only for a process dedicated to workflows; a user's own program decides for itself. Returns a function that removes the handlers. */
export function catchUncaughtErrors(log: (sentence: string) => void): () => void {
  const rejected = (error: unknown) => {
    const scope = actionScope.getStore();
    scope?.fail(error);
    const of = scope ? `the action ${scope.label}` : 'code outside actions';
    log(`Unhandled rejection in ${of}: ${errorText(error)} Await the promise, or catch its error.`);
  };
  const thrown = (error: unknown) => {
    const scope = actionScope.getStore();
    if (scope) {
      scope.fail(error);
      return log(`Uncaught exception in the action ${scope.label}: ${errorText(error)}`);
    }
    stop();
    process.nextTick(() => {
      throw error; // Node reports it and exits
    });
  };
  const stop = () => {
    process.off('unhandledRejection', rejected).off('uncaughtException', thrown);
  };
  process.on('unhandledRejection', rejected).on('uncaughtException', thrown);
  return stop;
}
