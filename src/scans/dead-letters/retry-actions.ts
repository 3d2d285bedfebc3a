/** Trying again the actions of workflows that failed for good: they wait for a runner as if they had never been tried. */
import type { Database } from '../../db/database.ts';
import { reopenActionLetters, reviveActions } from '../../workflows/actions/action-letter-store.ts';
import { type LetterFilter, takeActionLetters } from './letter-store.ts';

export interface RetriedActions {
  readonly letters: number;
  /** Their workflows have ended: nobody would hear of the result. Their letters stay open. */
  readonly tooLate: number;
}

export function retryActionLetters(db: Database, filter: LetterFilter): Promise<RetriedActions> {
  return db.tx(async (tx) => {
    const actions = await takeActionLetters(tx, filter);
    const revived = await reviveActions(tx, actions);
    const late = actions.filter((action) => !revived.has(action));
    await reopenActionLetters(tx, late);
    return { letters: revived.size, tooLate: late.length };
  });
}
