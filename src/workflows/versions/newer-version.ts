/**
 * Several versions of a workflow's code on one database, as during a rolling deployment.
 *
 *   needs     of a workflow: the highest version among its events and among the code that asked for its actions and timers
 *   has       of a process: the version in its definition
 *
 * Invariant: code processes a workflow only if it has at least the version that the workflow needs. Otherwise the workflow is left unchanged: its
 * commands fail, its messages stay due, its actions wait, and events that a runner passes are recorded in `deferred_reaction`, in the transaction that
 * moves the offset. A runner of a sufficient version takes over such partitions (runner/assignment-plan.ts) and reacts to the deferred events, once
 * and in order, because the workflow's own `reaction.version` says where to begin.
 *
 * Crash: no state in memory matters. A runner that has the version finds the deferred rows.
 */
import { SeineError } from '../../base/errors.ts';

/** Older code must skip it. Not a failure of the workflow: no attempt counts, and nothing is parked. */
export class NewerVersionRequired extends SeineError {
  constructor(message: string, hint: string) {
    super('conflict', message, { hint });
  }
}

/** `id` null: the caller knows it. */
export function newerVersionRequired(
  { name, version }: { readonly name: string; readonly version: number },
  id: string | null,
  needs: number,
): NewerVersionRequired {
  const of = id === null ? `An event of ${name}` : `${name} ${id}`;
  return new NewerVersionRequired(
    `${of} needs version ${needs} of its code; this process has version ${version}.`,
    `Deploy version ${needs} of ${name} here. List runner versions: seine partitions status`,
  );
}
