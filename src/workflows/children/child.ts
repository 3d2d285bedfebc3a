/**
 * Child workflows: one workflow starts another and receives an event when it has ended. A row of `child` holds the state between the two:
 *
 *   started ──▶ outcome completed | failed | cancelled ──▶ the parent has its event (told_at)
 *      └──▶ cancel_at: the parent ended before and the child must end too, or the parent has cancelled it ──▶ outcome cancelled
 *
 * Each arrow is written in the transaction that makes it true: the reaction that starts or cancels a child, the transaction that ends a workflow, the
 * one that appends the event. Pending work is found by the runners of the parent's type (events) and of the child's type (cancellations), so a crash
 * loses nothing and nothing is done twice. A child whose reactions are parked has not ended.
 *
 * An id is taken once: a child whose id belongs to another workflow, or to another parent, gets its own row with the outcome failed.
 *
 * Lock order: messages, workflows, actions, children, each by key.
 */
import type { Typed } from '../typed.ts';

/** What happens to a child that has not ended when its parent ends. */
export type OnParentEnd = 'cancel' | 'abandon';

/** The event of a child that completed, for the parent's union of events. */
export interface ChildCompleted<Name extends string = string, Result = unknown> {
  readonly type: `${Name}.completed`;
  readonly id: string;
  readonly result: Result;
}

/** The child ended with `fail(error)`, or could not begin: its id was taken, or its first command was rejected. */
export interface ChildFailed<Name extends string = string> {
  readonly type: `${Name}.failed`;
  readonly id: string;
  readonly error: string;
}

export interface ChildCancelled<Name extends string = string> {
  readonly type: `${Name}.cancelled`;
  readonly id: string;
}

export interface StartChild {
  readonly do: 'start child';
  readonly workflow: string;
  readonly id: string;
  readonly command: Typed;
  readonly name: string;
  readonly onParentEnd: OnParentEnd;
}

export interface CancelChild {
  readonly do: 'cancel child';
  readonly workflow: string;
  readonly id: string;
}

/**
 * Cancels a child of this workflow, with its own children; the event is `<name>.cancelled`. A child that has ended meanwhile is unchanged: its event
 * has the outcome. No effect if there is no such child.
 */
export function cancelChild(workflow: { readonly name: string }, id: string): CancelChild {
  return { do: 'cancel child', workflow: workflow.name, id };
}

export interface ChildOptions {
  /** When the parent ends, an open child is cancelled with its own children ('cancel'), or continues ('abandon'). */
  readonly onParentEnd?: OnParentEnd;
  /** The parent's events are `<name>.completed`, `<name>.failed` and `<name>.cancelled` (default: the child's workflow type). */
  readonly name?: string;
}

/** Starts another workflow with its first command. Its outcome becomes an event of this workflow. */
export function startChild<Command extends Typed>(
  workflow: {
    readonly name: string;
    readonly decide?: (state: never, command: Command, at: never) => unknown;
  },
  id: string,
  command: Command,
  { onParentEnd = 'cancel', name = workflow.name }: ChildOptions = {},
): StartChild {
  return { do: 'start child', workflow: workflow.name, id, command, name, onParentEnd };
}
