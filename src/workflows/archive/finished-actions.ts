/**
 * Actions that ended long ago, with their inputs, results and checkpoints: without this policy they would stay as long as their workflow lives.
 *
 * What stays is what somebody still asks for: an action whose dead letter can be retried, and of each own key the last action that was done, whose
 * result comes again when the workflow asks for the same key.
 */
import { one, type Tx } from '../../db/database.ts';
import { NO_RESULT_OF_KEY } from '../actions/own-key.ts';
import type { TxRunner } from './purge.ts';

const AT_ONCE = 1000;
/** What was passed by is looked at again: it had not ended, its dead letter was open, or its key had no later action. */
const PASS_EVERY_MS = 3_600_000;

export class FinishedActions {
  readonly #atOnce: number;
  /** The last action that was looked at: the next round does not begin anew with those that stay. */
  #after = 0;
  #begunAt = performance.now();

  constructor(atOnce = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /** Until the time (of `performance.now()`) is up. */
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
 * Of the next `most` actions after `after`. The last that is old enough to have ended so long ago; null: there are no more. What another transaction
 * has locked is left for the next pass.
 */
async function deleteFinished(
  tx: Tx,
  olderThanMs: number,
  after: number,
  most: number,
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
    [after, most, olderThanMs],
  );
  return last;
}
