/** The retention policies of workflows, a little at a time: by the leader of the workers, and by runners. */
import type { Database } from '../../db/database.ts';
import { deleteOldRejections } from '../messages/rejection-store.ts';
import { deleteOldCommandIds } from './archive-store.ts';
import { FinishedActions } from './finished-actions.ts';
import { purgeWorkflows, type TxRunner } from './purge.ts';

/** How long what is no longer needed is kept; null: for ever. */
export interface WorkflowRetention {
  /** Events, actions and results of workflows that have ended, from their end on. */
  readonly endedWorkflowsMs: number | null;
  /** Ids of commands whose events were deleted, from when they had their effect. */
  readonly commandIdsMs: number | null;
  /** Actions that have ended, also those of workflows that go on, from their end on (for ever). */
  readonly finishedActionsMs?: number | null;
}

export class RetentionJob {
  readonly #db: Database;
  readonly #policy: WorkflowRetention;
  readonly #actions = new FinishedActions();
  /** Where the last round stopped: the next one does not begin anew with what is too young. */
  #next = 0;

  constructor(db: Database, policy: WorkflowRetention) {
    this.#db = db;
    this.#policy = policy;
  }

  /** For about so long. */
  async round(within: TxRunner, forMs: number): Promise<void> {
    const { endedWorkflowsMs: olderThanMs, commandIdsMs, finishedActionsMs = null } = this.#policy;
    const until = performance.now() + forMs;
    if (olderThanMs !== null) {
      const { next } = await purgeWorkflows(this.#db, { olderThanMs, within, after: this.#next, forMs });
      this.#next = next ?? 0;
    }
    if (finishedActionsMs !== null) await this.#actions.round(within, finishedActionsMs, until);
    while ((await within((tx) => deleteOldRejections(tx))) && performance.now() < until);
    if (commandIdsMs === null) return;
    while ((await within((tx) => deleteOldCommandIds(tx, commandIdsMs))) && performance.now() < until);
  }
}
