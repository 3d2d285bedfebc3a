/**
 * Tells runners that there is something new: a hint, on top of their looking for themselves. Beside the transaction that made it, because a
 * NOTIFY holds up every other commit of the server for a moment; and at most once in a while, however much is written.
 */
import type { Queryable } from '../db/database.ts';

export const WORKFLOW_CHANNEL = 'seine_workflows';

/** What is new; so that nobody looks for what isn't there. `layout`: somebody joined or left, or it changed: look who holds what. `ended`: workflows did, for those who wait for them. */
export type NotifyTopic = 'events' | 'messages' | 'actions' | 'layout' | 'ended';

export interface WorkflowNotification {
  /** Null: perhaps of anything. */
  readonly topic: NotifyTopic | null;
  /** Null: perhaps of any. */
  readonly workflow: string | null;
}

/** What was said on the channel; nothing was after a broken connection, and then anything may be new. */
export function parseNotification(said: string): WorkflowNotification {
  const [first, second] = said.split(' ');
  if (second === undefined) return { topic: null, workflow: first || null };
  return { topic: first as NotifyTopic, workflow: second };
}

const MIN_INTERVAL_MS = 10;

/** Without news: perhaps of anything. */
export async function notifyRunners(db: Queryable, workflow: string, news?: NotifyTopic): Promise<void> {
  const said = news === undefined ? workflow : `${news} ${workflow}`;
  await db.query('select pg_notify($1, $2)', [WORKFLOW_CHANNEL, said]);
}

export class EventNotifier {
  readonly #db: Queryable;
  readonly #pending = new Map<string, [workflow: string, news: NotifyTopic]>();
  #isSending = false;
  #sent: Promise<void> = Promise.resolve();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** At once if nothing was told lately, otherwise together with what else comes. */
  notify(news: NotifyTopic, workflow: string): void {
    this.#pending.set(`${news} ${workflow}`, [workflow, news]);
    if (this.#isSending) return;
    this.#isSending = true;
    this.#sent = this.#sendAll();
  }

  /** Once nothing is left to tell; to be awaited before the database is closed. */
  flushed(): Promise<void> {
    return this.#sent;
  }

  async #sendAll(): Promise<void> {
    while (this.#pending.size > 0) {
      const hints = [...this.#pending.values()];
      this.#pending.clear();
      for (const hint of hints) await notifyRunners(this.#db, ...hint).catch(() => {}); // they look for themselves, a little later
      await new Promise((resolve) => setTimeout(resolve, MIN_INTERVAL_MS));
    }
    this.#isSending = false;
  }
}
