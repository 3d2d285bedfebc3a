/** The result, the event and the dead letter of actions, in one transaction: there is all of it or nothing. */
import type { Tx } from '../../db/database.ts';
import { type Fact, recordFacts } from '../record.ts';
import { lockWorkflows } from '../workflow-store.ts';
import { addActionLetters, resolveActionLetters } from './action-letter-store.ts';
import { type Ended, endActions } from './action-store.ts';
import type { Claimed } from './claim-store.ts';

export interface Finished {
  readonly claimed: Claimed;
  readonly outcome:
    | { readonly as: 'done'; readonly result: string }
    | { readonly as: 'failed'; readonly error: string; readonly unrun?: boolean };
  /** Of the event it becomes. */
  readonly schema: number;
}

/** How many really ended now, and which workflows were appended to. Those that are lost are left as they are. */
export async function endBatch(
  tx: Tx,
  batch: readonly Finished[],
): Promise<{ readonly keys: ReadonlySet<number>; readonly ended: number }> {
  // Workflows before actions, as a reaction that cancels some: one lock order, no deadlock.
  const heads = await lockWorkflows(tx, [...new Set(batch.map(({ claimed }) => claimed.workflowKey))]);
  const tokens = await endActions(tx, batch.map(endedOf));
  const mine = batch.filter(({ claimed }) => tokens.get(claimed.id) === claimed.token);
  if (mine.length === 0) return { keys: new Set(), ended: 0 };
  const keys = await recordFacts(tx, mine.map(factOf), heads);
  const dead = mine.flatMap(({ claimed, outcome }) =>
    outcome.as === 'failed'
      ? [{ ...claimed, attempts: triesOf(claimed, outcome), error: outcome.error }]
      : [],
  );
  if (dead.length > 0) await addActionLetters(tx, dead);
  const mended = mine.filter(({ claimed, outcome }) => outcome.as === 'done' && claimed.error !== null);
  if (mended.length > 0)
    await resolveActionLetters(
      tx,
      mended.map(({ claimed }) => claimed.id),
    );
  return { keys, ended: mine.length };
}

function endedOf({ claimed: { id, token }, outcome }: Finished): Ended {
  return outcome.as === 'done'
    ? { id, token, state: 'done', result: outcome.result, error: null }
    : { id, token, state: 'failed', result: null, error: outcome.error };
}

function factOf({ claimed, outcome, schema }: Finished): Fact {
  const { workflowKey, name, trace } = claimed;
  const event =
    outcome.as === 'done'
      ? { type: `${name}.done`, schema, data: { result: JSON.parse(outcome.result) }, trace }
      : {
          type: `${name}.failed`,
          schema,
          data: { error: outcome.error, attempts: triesOf(claimed, outcome) },
          trace,
        };
  return { key: workflowKey, event };
}

/** In all, without the claim that only found that it must not be run again. */
function triesOf({ attempts, crashes }: Claimed, { unrun = false }: { readonly unrun?: boolean }): number {
  return attempts + crashes - (unrun ? 1 : 0);
}
