/**
 * Retention of ended actions, with their inputs, results and checkpoints: without this policy they stay as long as their workflow.
 *
 * Kept are actions whose dead letter can be retried, and of each explicit key the last action that succeeded, because its result is returned when the
 * workflow asks for the key again.
 */
import { one, type Tx } from '../../db/database.ts';
import { NO_RESULT_OF_KEY } from './archive-store.ts';
import type { TxRunner } from './purge.ts';

const AT_ONCE = 1000;
/** Skipped actions are checked again by a later pass: they had not ended, had an open dead letter, or had no later action of their key. */
const PASS_EVERY_MS = 3_600_000;

export class FinishedActions {
  readonly #atOnce: number;
  /** The last action checked: the next round continues after it, or it would check the kept actions again. */
  #after = 0;
  #begunAt = performance.now();

  constructor(atOnce = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /** Stops at `until` (`performance.now()`). */
  async round(within: TxRunner, olderThanMs: number, until: number): Promise<void> {
    if (performance.now() - this.#begunAt > PASS_EVERY_MS) {
      this.#after = 0;
      this.#begunAt = performance.now();
    }
    do {
      const last = await within((tx) => deleteFinished(tx, olderThanMs, this.#after, this.#atOnce));
      if (last === null) return;
      this.#after = last;
    } while (performance.now() < until);
  }
}

/**
 * Deletes among the next `max` actions after `after`. Returns the last one old enough to have expired; null: there are no more. Rows locked by other
 * transactions are left for the next pass.
 */
async function deleteFinished(
  tx: Tx,
  olderThanMs: number,
  after: number,
  max: number,
): Promise<number | null> {
  const { last } = await one<{ last: number | null }>(
    tx,
    `with page as materialized (
       select id from (select id, created_at from action where id > $1 order by id limit $2) next
       where created_at < clock() - $3 * interval '1 millisecond'),
     old as (
       select action.id from page join action using (id)
       where action.state in ('done', 'failed', 'cancelled') and action.ended_at < clock() - $3 * interval '1 millisecond'
         and not exists (select from dead_letter where action_id = action.id and dead_letter.state <> 'resolved')
         and ${NO_RESULT_OF_KEY}
       order by action.id
       for update of action skip locked),
     gone as (delete from action using old where action.id = old.id)
     select max(id) as last from page`,
    [after, max, olderThanMs],
  );
  return last;
}
