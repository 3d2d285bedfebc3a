/** The result, the event and the dead letter of actions, in one transaction: there is all of it or nothing. */
import type { Tx } from '../../db/database.ts';
import { appendToOpen, type WorkflowAppend } from '../append-to-open.ts';
import { lockWorkflows } from '../workflow-store.ts';
import { addActionDeadLetters, resolveActionDeadLetters } from './action-dead-letter-store.ts';
import { type EndedAction, endActions } from './action-store.ts';
import type { ClaimedAction } from './claim-store.ts';

export interface FinishedAction {
  readonly claimed: ClaimedAction;
  readonly outcome:
    | { readonly as: 'done'; readonly result: string }
    | { readonly as: 'failed'; readonly error: string; readonly unrun?: boolean };
  /** Of the event it becomes. */
  readonly schema: number;
}

/** How many really ended now, and which workflows were appended to. Those that are lost are left as they are. */
export async function endBatch(
  tx: Tx,
  batch: readonly FinishedAction[],
): Promise<{ readonly keys: ReadonlySet<number>; readonly ended: number }> {
  // Workflows before actions, as a reaction that cancels some: one lock order, no deadlock.
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
  const mended = mine.filter(({ claimed, outcome }) => outcome.as === 'done' && claimed.error !== null);
  if (mended.length > 0)
    await resolveActionDeadLetters(
      tx,
      mended.map(({ claimed }) => claimed.id),
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

/** In all, without the claim that only found that it must not be run again. */
function attemptsOf(
  { attempts, crashes }: ClaimedAction,
  { unrun = false }: { readonly unrun?: boolean },
): number {
  return attempts + crashes - (unrun ? 1 : 0);
}
