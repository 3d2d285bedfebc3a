/** The effects `react` may return. Plain values: they are written in the transaction that records the event as reacted to. */
import { SeineError } from '../base/errors.ts';
import type { CancelChild, StartChild } from './children/child.ts';
import type { Typed } from './typed.ts';
import { milliseconds, type Wait } from './wait.ts';

export type Effect<Command extends Typed = Typed> =
  | Act
  | CancelAction
  | SetTimer<Command>
  | CancelTimer
  | Tell
  | Subscribe
  | Unsubscribe
  | Complete
  | Fail
  | StartChild
  | CancelChild;

interface Act {
  readonly do: 'act';
  readonly action: string;
  readonly input: unknown;
  readonly key?: string;
}

/**
 * Runs an action. Its result becomes an event: `<action>.done`, or `<action>.failed`.
 *
 * `key` becomes its `idempotencyKey`; each workflow executes an action once per key. Requested again while it is open, one event serves both; after it
 * succeeded, its result is appended again as an event, without a run; after it failed or was cancelled, it is run anew.
 */
export function act(action: string, input: unknown = null, { key }: { readonly key?: string } = {}): Act {
  return { do: 'act', action, input, ...(key !== undefined && { key }) };
}

interface CancelAction {
  readonly do: 'cancel action';
  readonly action: string;
}

/** Cancels every open action of this name. A running one is aborted by its signal. */
export function cancelAction(action: string): CancelAction {
  return { do: 'cancel action', action };
}

interface SetTimer<Command> {
  readonly do: 'set timer';
  readonly name: string;
  readonly command: Command;
  readonly when:
    | { readonly afterMs: number }
    /** ISO 8601, in UTC. */
    | { readonly at: string }
    | { readonly cron: string; readonly zone: string };
}

/** Sends this workflow a command after a delay, counted from the event. Replaces a timer of the same name. */
export function after<Command extends Typed>(
  wait: Wait,
  command: Command,
  name: string = command.type,
): SetTimer<Command> {
  return { do: 'set timer', name, command, when: { afterMs: milliseconds(wait, 'after() was given') } };
}

/** Sends this workflow a command at a point in time; at once if that has passed. Text must be ISO 8601 with its zone, or a date in UTC. */
export function at<Command extends Typed>(
  time: Date | string,
  command: Command,
  name: string = command.type,
): SetTimer<Command> {
  return { do: 'set timer', name, command, when: { at: instantOf(time).toISOString() } };
}

const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A time without a zone would depend on the machine. */
function instantOf(time: Date | string): Date {
  const instant = typeof time === 'string' && !ISO.test(time) ? new Date(Number.NaN) : new Date(time);
  if (!Number.isNaN(instant.getTime())) return instant;
  throw new SeineError('usage', `at() needs a point in time, not ${JSON.stringify(String(time))}.`, {
    hint: 'Give a Date, or a text like 2025-01-31T12:00:00Z, with its zone.',
  });
}

/** Sends this workflow a command periodically: `every('0 9 * * 1-5', 'Europe/Berlin', { type: 'remind' })`. */
export function every<Command extends Typed>(
  cron: string,
  zone: string,
  command: Command,
  name: string = command.type,
): SetTimer<Command> {
  return { do: 'set timer', name, command, when: { cron, zone } };
}

interface CancelTimer {
  readonly do: 'cancel timer';
  readonly name: string;
}

export function cancelTimer(name: string): CancelTimer {
  return { do: 'cancel timer', name };
}

interface Tell {
  readonly do: 'tell';
  readonly workflow: string;
  readonly id: string;
  readonly command: Typed;
}

/** Sends a command to another workflow; starts it if it doesn't exist. */
export function tell<Command extends Typed>(
  workflow: {
    readonly name: string;
    readonly decide?: (state: never, command: Command, at: never) => unknown;
  },
  id: string,
  command: Command,
): Tell {
  return { do: 'tell', workflow: workflow.name, id, command };
}

export interface Interest {
  /** The workflow type (default: any). */
  readonly workflow?: string;
  readonly id?: string;
  readonly type?: string;
  readonly tags?: readonly string[];
  /** Only events with all of the tags (default: at least one). */
  readonly everyTag?: boolean;
}

interface Subscribe {
  readonly do: 'subscribe';
  readonly name: string;
  readonly to: Interest;
}

/** Subscribes this workflow: `receive` is called for every matching event. */
export function subscribe(name: string, to: Interest): Subscribe {
  return { do: 'subscribe', name, to };
}

interface Unsubscribe {
  readonly do: 'unsubscribe';
  readonly name: string;
}

export function unsubscribe(name: string): Unsubscribe {
  return { do: 'unsubscribe', name };
}

export interface Complete {
  readonly do: 'complete';
  readonly result?: unknown;
}

/**
 * Completes the workflow: its timers, subscriptions and open actions end with it, and it accepts no more commands. The result is returned to clients
 * that wait for it, and to its parent.
 */
export function complete(result?: unknown): Complete {
  return result === undefined ? { do: 'complete' } : { do: 'complete', result };
}

export interface Fail {
  readonly do: 'fail';
  readonly error: string;
}

/** Ends the workflow with an error, which clients that wait for its result, and its parent, receive. */
export function fail(error: string): Fail {
  return { do: 'fail', error };
}
