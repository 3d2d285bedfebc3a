/** Applies the retention policies of workflows in small rounds: run by the leader of the workers, and by runners. */
import type { Database } from '../../db/database.ts';
import { deleteOldRejections } from '../messages/rejection-store.ts';
import { deleteOldCommandIds } from './archive-store.ts';
import { FinishedActions } from './finished-actions.ts';
import { purgeWorkflows, type TxRunner } from './purge.ts';

/** Retention times; null: forever. */
export interface WorkflowRetention {
  /** Events, actions and results of ended workflows, from their end. */
  readonly endedWorkflowsMs: number | null;
  /** Ids of commands whose events were deleted, from when they took effect. */
  readonly commandIdsMs: number | null;
  /** Ended actions, also of open workflows, from their end (forever). */
  readonly finishedActionsMs?: number | null;
}

export class RetentionJob {
  readonly #db: Database;
  readonly #policy: WorkflowRetention;
  readonly #actions = new FinishedActions();
  /** Where the last round stopped: the next one must not rescan what is too young. */
  #next = 0;

  constructor(db: Database, policy: WorkflowRetention) {
    this.#db = db;
    this.#policy = policy;
  }

  /** Approximate time limit. */
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
