/** Reactions and messages that failed too often and wait for an operator. */
import type { Database, Queryable } from '../../db/database.ts';
import { notifyRunners } from '../../events/event-notifier.ts';
import {
  listParked,
  type ParkedItem,
  retryMessages,
  retryReactions,
  type WorkflowSelector,
} from './control-store.ts';

export function parkedWorkflows(db: Queryable, choice: WorkflowSelector, max = 100): Promise<ParkedItem[]> {
  return listParked(db, choice, max);
}

/** Requeues them with reset attempt counts. */
export async function retryParked(
  db: Database,
  choice: WorkflowSelector,
): Promise<{ readonly reactions: number; readonly messages: number }> {
  // In the global lock order: reactions come last.
  const { reactions, messages } = await db.tx(async (tx) => ({
    messages: await retryMessages(tx, choice),
    reactions: await retryReactions(tx, choice),
  }));
  for (const name of new Set([...reactions, ...messages].map((one) => one.name)))
    await notifyRunners(db, name);
  return { reactions: reactions.length, messages: messages.length };
}
