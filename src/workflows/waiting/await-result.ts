/** Waits for the result of a workflow. */
import { SeineError } from '../../base/errors.ts';
import type { Queryable } from '../../db/database.ts';
import type { WorkflowRef } from '../../events/event.ts';
import type { CommandResult } from '../commands/handle.ts';
import type { AnyWorkflow } from '../define.ts';
import { load, requireComplete } from '../state/load.ts';
import { callUserCode } from '../user-code/code-error.ts';
import type { Status } from '../workflow-store.ts';
import type { WorkflowProgress } from './workflow-progress-store.ts';
import type { WaitOptions, WorkflowWaiters } from './workflow-waiters.ts';

export interface UpdateOptions<State> extends WaitOptions {
  /** Idempotency: a command sent again under the same id has no second effect. */
  readonly commandId?: string;
  /** Also waits until the state satisfies this. */
  readonly until?: (state: State) => boolean;
}

/** The result of a command, and the state after the reactions. */
export type Updated<State> =
  | {
      readonly outcome: 'accepted' | 'repeated';
      readonly version: number;
      readonly status: Status;
      readonly state: State;
    }
  | Extract<CommandResult, { outcome: 'rejected' | 'paused' }>;

/** Rejects when it ends other than by `complete`. */
export function awaitResult(
  waiters: WorkflowWaiters,
  address: WorkflowRef,
  options: WaitOptions,
): Promise<unknown> {
  return waiters.until(
    address,
    'to end',
    (progress) => {
      if (progress === null) throw notBegun(address);
      if (progress.status === 'cancelled') throw ended(address, 'was cancelled');
      if (progress.failure !== null) throw ended(address, `failed: ${progress.failure}`);
      if (progress.purged) throw purged(address);
      return progress.status === 'completed' ? { value: progress.result } : null;
    },
    options,
  );
}

/** The command was accepted as event `version`: waits until all events up to it were reacted to, and the state satisfies `until`. */
export function awaitUpdate<State>(
  waiters: WorkflowWaiters,
  db: Queryable,
  workflow: AnyWorkflow,
  address: WorkflowRef,
  accepted: { readonly outcome: 'accepted' | 'repeated'; readonly version: number },
  { until, ...options }: UpdateOptions<State>,
): Promise<Updated<State>> {
  const { outcome, version } = accepted;
  let checkedVersion = -1;
  const check = async (progress: WorkflowProgress | null) => {
    if (
      progress !== null &&
      !hasEnded(progress) &&
      (progress.reacted < version || progress.version === checkedVersion)
    )
      return null;
    const [loaded] = await load(db, workflow, [{ ...address, commandId: null }]);
    const { status } = loaded!;
    const folded = requireComplete(loaded!);
    const state = folded.state as State;
    checkedVersion = folded.version;
    const place = () =>
      ({ callback: 'until', workflow: workflow.name, id: address.id, subject: 'the state' }) as const;
    if (!until || callUserCode(place, () => until(state)))
      return { value: { outcome, version: folded.version, status, state } };
    if (progress && hasEnded(progress))
      throw ended(address, `is ${status}, and its state does not satisfy \`until\``);
    return null;
  };
  return waiters.until(address, until ? 'to satisfy `until`' : 'to react to the command', check, options);
}

function hasEnded({ status }: WorkflowProgress): boolean {
  return status === 'completed' || status === 'cancelled';
}

function notBegun({ workflow, id }: WorkflowRef): SeineError {
  return new SeineError('not-found', `There is no ${workflow} ${id}.`, {
    hint: 'Send it a command first: a workflow begins with its first event.',
  });
}

function purged({ workflow, id }: WorkflowRef): SeineError {
  return new SeineError('not-found', `${workflow} ${id} has completed and was purged: its result is gone.`, {
    hint: 'retention.ended_workflows says how long ended workflows are kept.',
  });
}

function ended({ workflow, id }: WorkflowRef, how: string): SeineError {
  return new SeineError('conflict', `${workflow} ${id} ${how}.`, {
    hint: `Show its events: seine workflows events ${workflow} ${id}`,
    retry: false,
  });
}
