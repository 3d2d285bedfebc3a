/** SQL statements that claim actions without limits, and that recover actions of crashed processes. The protocol is described in action.ts. */
import type { Queryable } from '../../db/database.ts';
import type { HeldAction, NewAction } from './action-store.ts';

export interface ClaimedAction extends HeldAction, NewAction {
  readonly workflowId: string;
  /** Attempts that failed, including this one. */
  readonly attempts: number;
  /** Attempts whose lease expired: the process crashed, or lost the action. */
  readonly crashes: number;
  /** Crashes in which it ran alone in its process, since its last new checkpoint. */
  readonly crashesAlone: number;
  readonly checkpoint: unknown;
  /** Error of the last failed attempt. */
  readonly error: string | null;
  readonly limitKey: string | null;
  /** The result of an earlier action with the same key, as JSON. */
  readonly earlier: string | null;
}

export interface ActionClaimRequest {
  readonly known: readonly {
    readonly workflow: string;
    readonly name: string;
    /** The version of its workflow's code here (1): workflows that need a higher one are skipped. */
    readonly schema?: number;
  }[];
  readonly holder: string;
  readonly ttlMs: number;
}

/** The tail of every claim: the rows of `taken`, which has the new version of each action. */
export const SELECT_CLAIMED = `
     select taken.id, taken.token, taken.tenant, taken.workflow_key as "workflowKey", taken.workflow, taken.version,
            taken.n, taken.name, taken.input, workflow.id as "workflowId", taken.attempts, taken.crashes,
            taken.crashes_alone as "crashesAlone", taken.checkpoint, taken.error, taken.idempotency_key as key, taken.limit_key as "limitKey", taken.trace,
            case when taken.idempotency_key is not null then (
              select coalesce(earlier.result, 'null')::text from action earlier
              where earlier.workflow_key = taken.workflow_key and earlier.name = taken.name and earlier.idempotency_key = taken.idempotency_key
                and earlier.state = 'done'
              order by earlier.id desc
              limit 1) end as earlier
     from taken join workflow on workflow.key = taken.workflow_key
     order by taken.due_at, taken.id`;

/** Due actions without limits: the oldest first, across workflows. */
export async function claimActions(
  db: Queryable,
  wanted: ActionClaimRequest,
  max: number,
): Promise<ClaimedAction[]> {
  const { rows } = await db.query<ClaimedAction>(
    `with next as (
       select free.id
       from unnest($1::text[], $3::smallint[]) as kind(workflow, version), lateral (
         select action.id, action.due_at
         from action join workflow on workflow.key = action.workflow_key
         where action.workflow = kind.workflow and action.state = 'waiting' and action.limit_key is null
           and action.due_at <= clock() and action.crashes < 2
           and action.workflow || '/' || action.name = any($2::text[]) and workflow.status = 'running'
           and workflow.needs_version <= kind.version
         order by action.due_at, action.id
         limit $6
         for update of action skip locked) free
       order by free.due_at, free.id
       limit $6),
     taken as (
       update action
       set state = 'running', holder = $4, token = token + 1, attempts = attempts + 1, alone = false,
           expires_at = clock() + $5 * interval '1 millisecond'
       from next
       where action.id = next.id
       returning action.*)
     ${SELECT_CLAIMED}`,
    [...namesOf(wanted), wanted.holder, wanted.ttlMs, max],
    'claim_actions',
  );
  return rows;
}

/** The workflows, the actions as `workflow/name`, and of each workflow the version of its code here. */
export function namesOf({ known }: Pick<ActionClaimRequest, 'known'>): [string[], string[], number[]] {
  const versions = new Map(known.map(({ workflow, schema = 1 }) => [workflow, schema]));
  return [
    [...versions.keys()],
    known.map(({ workflow, name }) => `${workflow}/${name}`),
    [...versions.values()],
  ];
}

/**
 * Requeues actions whose lease has expired: their process crashed, or lost them. That counts as a crash, not as a failed attempt. Actions that this
 * process itself runs are skipped, because it is alive and was only unable to renew, for example during an outage. Recovers no more than it has room
 * for: the others can still be renewed by their holders.
 */
export async function recoverActions(
  db: Queryable,
  workflows: readonly string[],
  running: readonly number[],
  max: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `with expired as (
       select id from action
       where workflow = any($1::text[]) and state = 'running' and expires_at < clock() and not id = any($2::bigint[])
       order by expires_at
       limit $3
       for update skip locked)
     update action
     set state = 'waiting', holder = null, expires_at = null, attempts = greatest(attempts - 1, 0), crashes = crashes + 1,
         crashes_alone = crashes_alone + alone::integer, alone = false
     from expired where action.id = expired.id`,
    [[...new Set(workflows)], running, max],
    'recover_actions',
  );
  return rowCount;
}

/** Sets whether a crash is attributed to this action alone. False when the lease is lost. */
export async function markRunningAlone(
  db: Queryable,
  { id, token }: HeldAction,
  isAlone = true,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update action set alone = $3 where id = $1 and token = $2 and state = 'running'`,
    [id, token, isAlone],
  );
  return rowCount === 1;
}

/**
 * The cause of crashes was found: clears suspects that only ran beside it and never crashed alone. One that causes crashes as well becomes a suspect
 * again with its next crash.
 */
export async function clearSuspects(db: Queryable, workflows: readonly string[]): Promise<number> {
  const { rowCount } = await db.query(
    `with innocent as (
       select id from action
       where workflow = any($1::text[]) and state = 'waiting' and crashes >= 2 and crashes_alone = 0
       order by id
       for no key update skip locked)
     update action set crashes = 0 from innocent where action.id = innocent.id`,
    [[...new Set(workflows)]],
  );
  return rowCount;
}
