/** Retries actions of workflows that failed permanently: they become pending, with fresh attempts. */
import type { Database } from '../../db/database.ts';
import { reopenActionDeadLetters, requeueActions } from '../../workflows/actions/action-dead-letter-store.ts';
import { type LetterFilter, markActionsRetrying } from './letter-store.ts';

export interface RetriedActions {
  readonly letters: number;
  /** Their workflows have ended and could not receive the result. Their letters stay open. */
  readonly tooLate: number;
}

export function retryActionLetters(db: Database, filter: LetterFilter): Promise<RetriedActions> {
  return db.tx(async (tx) => {
    const actions = await markActionsRetrying(tx, filter);
    const revived = await requeueActions(tx, actions);
    const late = actions.filter((action) => !revived.has(action));
    await reopenActionDeadLetters(tx, late);
    return { letters: revived.size, tooLate: late.length };
  });
}
