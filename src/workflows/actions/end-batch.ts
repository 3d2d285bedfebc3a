/** Writes the results, events and dead letters of actions in one transaction. */
import type { Tx } from '../../db/database.ts';
import { appendToOpen, type WorkflowAppend } from '../commands/append-to-open.ts';
import { lockWorkflows } from '../workflow-store.ts';
import { addActionDeadLetters, resolveActionDeadLetters } from './action-dead-letter-store.ts';
import { type EndedAction, endActions } from './action-store.ts';
import type { ClaimedAction } from './claim-store.ts';

export interface FinishedAction {
  readonly claimed: ClaimedAction;
  readonly outcome:
    | { readonly as: 'done'; readonly result: string }
    | { readonly as: 'failed'; readonly error: string; readonly unrun?: boolean };
  /** Schema version of the event. */
  readonly schema: number;
}

/** The number of actions that ended now, and the workflows appended to. Lost actions are left unchanged. */
export async function endBatch(
  tx: Tx,
  batch: readonly FinishedAction[],
): Promise<{ readonly keys: ReadonlySet<number>; readonly ended: number }> {
  // Workflows before actions, as in a reaction that cancels some: one lock order prevents deadlocks.
  const heads = await lockWorkflows(tx, [...new Set(batch.map(({ claimed }) => claimed.workflowKey))]);
  const tokens = await endActions(tx, batch.map(endedOf));
  const mine = batch.filter(({ claimed }) => tokens.get(claimed.id) === claimed.token);
  if (mine.length === 0) return { keys: new Set(), ended: 0 };
  const keys = await appendToOpen(tx, mine.map(eventOf), heads);
  const dead = mine.flatMap(({ claimed, outcome }) =>
    outcome.as === 'failed'
      ? [{ ...claimed, attempts: attemptsOf(claimed, outcome), error: outcome.error }]
      : [],
  );
  if (dead.length > 0) await addActionDeadLetters(tx, dead);
  const succeeded = mine.filter(({ claimed, outcome }) => outcome.as === 'done' && claimed.error !== null);
  if (succeeded.length > 0)
    await resolveActionDeadLetters(
      tx,
      succeeded.map(({ claimed }) => claimed.id),
    );
  return { keys, ended: mine.length };
}

function endedOf({ claimed: { id, token }, outcome }: FinishedAction): EndedAction {
  return outcome.as === 'done'
    ? { id, token, state: 'done', result: outcome.result, error: null }
    : { id, token, state: 'failed', result: null, error: outcome.error };
}

function eventOf({ claimed, outcome, schema }: FinishedAction): WorkflowAppend {
  const { workflowKey, name, trace } = claimed;
  const event =
    outcome.as === 'done'
      ? { type: `${name}.done`, schema, data: { result: JSON.parse(outcome.result) }, trace }
      : {
          type: `${name}.failed`,
          schema,
          data: { error: outcome.error, attempts: attemptsOf(claimed, outcome) },
          trace,
        };
  return { key: workflowKey, event };
}

/** All attempts, except a claim that only found that the action must not be run again. */
function attemptsOf(
  { attempts, crashes }: ClaimedAction,
  { unrun = false }: { readonly unrun?: boolean },
): number {
  return attempts + crashes - (unrun ? 1 : 0);
}
