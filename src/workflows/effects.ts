/** What `react` may ask for. Plain values: they are written down in the transaction that counts the event as reacted to. */
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
 * Runs an action. What comes of it is an event: `<action>.done` with its result, or `<action>.failed`.
 *
 * `key` becomes its `idempotencyKey`, and what is done under one key is done once by each workflow: asked for again while it is open, the one
 * event answers both; when it was done, its result comes again as an event, without a run; when it failed or was cancelled, it is run anew.
 */
export function act(action: string, input: unknown = null, { key }: { readonly key?: string } = {}): Act {
  return { do: 'act', action, input, ...(key !== undefined && { key }) };
}

interface CancelAction {
  readonly do: 'cancel action';
  readonly action: string;
}

/** Ends every action of this name that has not ended. One that runs is told so by its signal. */
export function cancelAction(action: string): CancelAction {
  return { do: 'cancel action', action };
}

interface SetTimer<Command> {
  readonly do: 'set timer';
  readonly name: string;
  readonly command: Command;
  readonly when:
    | { readonly afterMs: number }
    /** As ISO 8601, in UTC. */
    | { readonly at: string }
    | { readonly cron: string; readonly zone: string };
}

/** Sends this workflow a command so long after the event. A timer of the same name is replaced. */
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

/** A text without a zone would mean another time on each machine. */
function instantOf(time: Date | string): Date {
  const instant = typeof time === 'string' && !ISO.test(time) ? new Date(Number.NaN) : new Date(time);
  if (!Number.isNaN(instant.getTime())) return instant;
  throw new SeineError('usage', `at() needs a point in time, not ${JSON.stringify(String(time))}.`, {
    hint: 'Give a Date, or a text like 2025-01-31T12:00:00Z, with its zone.',
  });
}

/** Sends this workflow a command again and again: `every('0 9 * * 1-5', 'Europe/Berlin', { type: 'remind' })`. */
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

/** Sends a command to another workflow, which begins with it if it isn't there. */
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
  /** Of this kind of workflow; any if it isn't given. */
  readonly workflow?: string;
  readonly id?: string;
  readonly type?: string;
  readonly tags?: readonly string[];
  /** Only what has all of the tags; one is enough otherwise. */
  readonly everyTag?: boolean;
}

interface Subscribe {
  readonly do: 'subscribe';
  readonly name: string;
  readonly to: Interest;
}

/** From now on `receive` is asked about every such event. */
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
 * The workflow has ended: its timers, subscriptions and open actions end with it, and it takes no more commands. Its result is for those who wait
 * for it, and for its parent.
 */
export function complete(result?: unknown): Complete {
  return result === undefined ? { do: 'complete' } : { do: 'complete', result };
}

export interface Fail {
  readonly do: 'fail';
  readonly error: string;
}

/** The same without success: who waits for its result, and its parent, have this error instead. */
export function fail(error: string): Fail {
  return { do: 'fail', error };
}
