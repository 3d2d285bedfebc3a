/**
 * Several versions of a workflow's code on one database, as during a rolling deployment.
 *
 *   needs     of a workflow: the highest version among its events and among the code that asked for its actions and timers
 *   has       of a process: the version in its definition
 *
 * Invariant: code runs on a workflow only if it has at least the version that the workflow needs. What it must not touch stays as it is: its
 * commands fail, its messages stay due, its actions wait, and events that a runner passes are noted in `deferred_reaction`, in the
 * transaction that moves the offset. A runner of a high enough version takes over such parts (runner/assignment-plan.ts) and reacts to what was
 * noted, once and in order, because the workflow's own `reaction.version` says where to begin.
 *
 * Crash: there is nothing in memory that counts. Who has the version finds the notes, however they came about.
 */
import { SeineError } from '../../base/errors.ts';

/** Older code must leave it alone. Not a failure of the workflow: no attempt counts, and nothing is parked. */
export class NewerVersionRequired extends SeineError {
  constructor(message: string, hint: string) {
    super('conflict', message, { hint });
  }
}

/** `id` null: the caller knows which one it is. */
export function newerVersionRequired(
  { name, version }: { readonly name: string; readonly version: number },
  id: string | null,
  needs: number,
): NewerVersionRequired {
  const of = id === null ? `An event of ${name}` : `${name} ${id}`;
  return new NewerVersionRequired(
    `${of} needs version ${needs} of its code; this process has version ${version}.`,
    `Deploy version ${needs} of ${name} here. Which runners have it: seine partitions status`,
  );
}
