/** What failed too often and waits for somebody to look at it: reactions, and messages that could not be delivered. */
import type { Database, Queryable } from '../../db/database.ts';
import { tellRunners } from '../../events/herald.ts';
import { type Choice, listParked, type Parked, retryMessages, retryReactions } from './control-store.ts';

export function parkedWorkflows(db: Queryable, choice: Choice, most = 100): Promise<Parked[]> {
  return listParked(db, choice, most);
}

/** As if never tried. */
export async function retryParked(
  db: Database,
  choice: Choice,
): Promise<{ readonly reactions: number; readonly messages: number }> {
  // In the order in which everybody locks: reactions come last.
  const { reactions, messages } = await db.tx(async (tx) => ({
    messages: await retryMessages(tx, choice),
    reactions: await retryReactions(tx, choice),
  }));
  for (const name of new Set([...reactions, ...messages].map((one) => one.name))) await tellRunners(db, name);
  return { reactions: reactions.length, messages: messages.length };
}
