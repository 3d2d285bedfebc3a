/**
 * Tells runners that there is something new: a hint, on top of their looking for themselves. Beside the transaction that made it, because a
 * NOTIFY holds up every other commit of the server for a moment; and at most once in a while, however much is written.
 */
import type { Queryable } from '../db/database.ts';

export const WORKFLOW_CHANNEL = 'seine_workflows';

/** What is new; so that nobody looks for what isn't there. `layout`: somebody joined or left, or it changed: look who holds what. `ended`: workflows did, for those who wait for them. */
export type News = 'events' | 'messages' | 'actions' | 'layout' | 'ended';

export interface Hint {
  /** Null: perhaps of anything. */
  readonly news: News | null;
  /** Null: perhaps of any. */
  readonly workflow: string | null;
}

/** What was said on the channel; nothing was after a broken connection, and then anything may be new. */
export function hintOf(said: string): Hint {
  const [first, second] = said.split(' ');
  if (second === undefined) return { news: null, workflow: first || null };
  return { news: first as News, workflow: second };
}

const AT_MOST_EVERY_MS = 10;

/** Without news: perhaps of anything. */
export async function tellRunners(db: Queryable, workflow: string, news?: News): Promise<void> {
  const said = news === undefined ? workflow : `${news} ${workflow}`;
  await db.query('select pg_notify($1, $2)', [WORKFLOW_CHANNEL, said]);
}

export class Herald {
  readonly #db: Queryable;
  readonly #waiting = new Map<string, [workflow: string, news: News]>();
  #telling = false;
  #told: Promise<void> = Promise.resolve();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** At once if nothing was told lately, otherwise together with what else comes. */
  tell(news: News, workflow: string): void {
    this.#waiting.set(`${news} ${workflow}`, [workflow, news]);
    if (this.#telling) return;
    this.#telling = true;
    this.#told = this.#tellAll();
  }

  /** Once nothing is left to tell; to be awaited before the database is closed. */
  flushed(): Promise<void> {
    return this.#told;
  }

  async #tellAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const hints = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const hint of hints) await tellRunners(this.#db, ...hint).catch(() => {}); // they look for themselves, a little later
      await new Promise((resolve) => setTimeout(resolve, AT_MOST_EVERY_MS));
    }
    this.#telling = false;
  }
}
