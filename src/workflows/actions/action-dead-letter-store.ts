/** Dead letters of actions that failed permanently: kept with their error, can be retried. They belong to a workflow, not to a scan. */
import { errorGroupKey } from '../../base/error-group-key.ts';
import { many, type Tx } from '../../db/database.ts';
import { sanitizeJson, sanitizeText } from '../../db/sanitize.ts';

export interface DeadAction {
  readonly id: number;
  readonly workflow: string;
  readonly workflowId: string;
  readonly name: string;
  readonly version: number;
  readonly n: number;
  readonly attempts: number;
  readonly error: string;
}

/** An action that fails again keeps its dead letter, with the new error and the sum of its attempts. */
export async function addActionDeadLetters(tx: Tx, dead: readonly DeadAction[]): Promise<void> {
  await tx.query(
    `with dead as (
       select d.*, action.tenant
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[])
         as d(id, path, signature, reason, evidence, attempts)
       join action on action.id = d.id),
     again as (
       update dead_letter
       set state = 'open', signature = dead.signature, reason = dead.reason, attempts = dead_letter.attempts + dead.attempts
       from dead where dead_letter.action_id = dead.id
       returning dead.id)
     insert into dead_letter (tenant, kind, action_id, path, signature, reason, evidence, attempts, created_at)
     select tenant, 'action', id, path, signature, reason, evidence::jsonb, attempts, clock()
     from dead where id not in (select id from again)`,
    [
      dead.map(({ id }) => id),
      dead.map(({ workflow, workflowId, name }) => `${workflow}/${workflowId} ${name}`),
      dead.map(({ error }) => sanitizeText(errorGroupKey(error))),
      dead.map(({ error }) => sanitizeText(error)),
      dead.map(({ workflow, workflowId, name, version, n }) =>
        sanitizeJson({ workflow, id: workflowId, action: name, version, n }),
      ),
      dead.map(({ attempts }) => attempts),
    ],
  );
}

/** The retry succeeded. */
export async function resolveActionDeadLetters(tx: Tx, actions: readonly number[]): Promise<void> {
  await tx.query(
    `update dead_letter set state = 'resolved' where action_id = any($1::bigint[]) and state <> 'resolved'`,
    [actions],
  );
}

/** They were to be retried, and no longer will be. */
export async function reopenActionDeadLetters(tx: Tx, actions: readonly number[]): Promise<void> {
  await tx.query(
    `update dead_letter set state = 'open' where action_id = any($1::bigint[]) and state = 'retrying'`,
    [actions],
  );
}

/** Requeues failed actions with reset attempt counts, except those whose workflow has ended. Returns the requeued ids. */
export async function requeueActions(tx: Tx, actions: readonly number[]): Promise<Set<number>> {
  const revived = await many<{ id: number }>(
    tx,
    `with living as (
       select key from workflow
       where key in (select workflow_key from action where id = any($1::bigint[])) and status in ('running', 'paused')
       order by key
       for share)
     update action set state = 'waiting', attempts = 0, crashes = 0, crashes_alone = 0, alone = false, due_at = clock(), result = null, ended_at = null
     from living
     where action.id = any($1::bigint[]) and action.workflow_key = living.key and action.state = 'failed'
     returning action.id`,
    [actions],
  );
  return new Set(revived.map(({ id }) => id));
}
