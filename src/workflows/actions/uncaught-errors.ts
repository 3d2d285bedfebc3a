/**
 * Errors that nothing caught: a promise of user code that was rejected and never awaited, an exception in a timer it has set. Node
 * ends the process for them, and with it every other action in it. Here they belong to the action whose code caused them.
 *
 *   caused by an action that runs   its try fails with this error
 *   by one that has ended           reported; its result stands
 *   by anything else                a rejection is reported; an exception ends the process, as it does without us
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { errorText } from './error-text.ts';

export interface ActionScope {
  /** Which action it is, for people. */
  readonly label: string;
  /** Without effect when it has ended. */
  fail(error: unknown): void;
}

/** Follows the code of an action into its timers and promises. */
export const actionScope = new AsyncLocalStorage<ActionScope>();

/** For a process that does nothing else than run workflows; a program of the user decides for itself. How to end it. */
export function catchUncaughtErrors(log: (sentence: string) => void): () => void {
  const rejected = (error: unknown) => {
    const scope = actionScope.getStore();
    scope?.fail(error);
    const of = scope ? `the action ${scope.label}` : 'code that is no action';
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
      throw error; // as Node reports it and ends
    });
  };
  const stop = () => {
    process.off('unhandledRejection', rejected).off('uncaughtException', thrown);
  };
  process.on('unhandledRejection', rejected).on('uncaughtException', thrown);
  return stop;
}
