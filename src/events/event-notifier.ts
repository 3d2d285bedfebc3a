/**
 * Notifies runners of changes: a hint, in addition to polling. Sent outside the transaction that made the
 * change, because a NOTIFY serialises the commits of the server; and debounced, so that its rate is bounded
 * for any number of changes.
 */
import type { Queryable } from '../db/database.ts';

export const WORKFLOW_CHANNEL = 'seine_workflows';

/** The topic of a change, so that runners only poll what changed. `layout`: a runner joined or left, or the partitioning changed. `ended`: workflows ended. */
export type NotifyTopic = 'events' | 'messages' | 'actions' | 'layout' | 'ended';

export interface WorkflowNotification {
  /** Null: any topic. */
  readonly topic: NotifyTopic | null;
  /** Null: any workflow. */
  readonly workflow: string | null;
  /** Who sent it, if known: a sender also receives its own notifications. */
  readonly origin?: string;
}

/** Parses a payload; it is empty after a lost connection, and then anything may have changed. */
export function parseNotification(payload: string): WorkflowNotification {
  const [first, second, origin] = payload.split(' ');
  if (second === undefined) return { topic: null, workflow: first || null };
  return { topic: first as NotifyTopic, workflow: second, ...(origin && { origin }) };
}

const MIN_INTERVAL_MS = 10;

/** Without a topic: any topic. Earlier versions ignore the origin. */
export async function notifyRunners(
  db: Queryable,
  workflow: string,
  topic?: NotifyTopic,
  origin?: string,
): Promise<void> {
  const payload = topic === undefined ? workflow : [topic, workflow, origin ?? []].flat().join(' ');
  await db.query('select pg_notify($1, $2)', [WORKFLOW_CHANNEL, payload]);
}

export class EventNotifier {
  readonly #db: Queryable;
  readonly #origin: string | undefined;
  readonly #pending = new Map<string, [workflow: string, topic: NotifyTopic]>();
  #isSending = false;
  #sent: Promise<void> = Promise.resolve();

  constructor(db: Queryable, origin?: string) {
    this.#db = db;
    this.#origin = origin;
  }

  /** Sends at once if nothing was sent recently, otherwise together with later notifications. */
  notify(topic: NotifyTopic, workflow: string): void {
    this.#pending.set(`${topic} ${workflow}`, [workflow, topic]);
    if (this.#isSending) return;
    this.#isSending = true;
    this.#sent = this.#sendAll();
  }

  /** Resolves when all notifications were sent; must be awaited before the database is closed. */
  flushed(): Promise<void> {
    return this.#sent;
  }

  async #sendAll(): Promise<void> {
    while (this.#pending.size > 0) {
      const hints = [...this.#pending.values()];
      this.#pending.clear();
      for (const [workflow, topic] of hints)
        await notifyRunners(this.#db, workflow, topic, this.#origin).catch(() => {}); // runners also poll
      await new Promise((resolve) => setTimeout(resolve, MIN_INTERVAL_MS));
    }
    this.#isSending = false;
  }
}
