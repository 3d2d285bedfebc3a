/** The statements behind actions, one function each. The protocol is told in action.ts. */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import { reopenActionLetters } from './action-letter-store.ts';

export interface NewAction {
  readonly tenant: string;
  readonly workflowKey: number;
  readonly workflow: string;
  /** Of the event that asked for it. */
  readonly version: number;
  /** From 0 among the actions of that event. */
  readonly n: number;
  readonly name: string;
  readonly input: unknown;
  /** Taken back before it could begin: it is kept for the record. */
  readonly cancelled?: boolean;
  readonly trace?: string | null | undefined;
}

/** They can be claimed when the transaction commits. One that is there already stays as it is. */
export async function addActions(tx: Tx, actions: readonly NewAction[]): Promise<void> {
  await tx.query(
    `insert into action (tenant, workflow_key, workflow, version, n, name, input, state, ended_at, trace)
     select tenant, workflow_key, workflow, version, n, name, input,
            case when cancelled then 'cancelled' else 'waiting' end, case when cancelled then clock() end, trace
     from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::smallint[], $6::text[], $7::json[], $8::boolean[], $9::text[])
       as a(tenant, workflow_key, workflow, version, n, name, input, cancelled, trace)
     on conflict (workflow_key, version, n) do nothing`,
    [
      actions.map(({ tenant }) => tenant),
      actions.map(({ workflowKey }) => workflowKey),
      actions.map(({ workflow }) => workflow),
      actions.map(({ version }) => version),
      actions.map(({ n }) => n),
      actions.map(({ name }) => name),
      actions.map(({ input }) => JSON.stringify(input ?? null)),
      actions.map(({ cancelled = false }) => cancelled),
      actions.map(({ trace = null }) => trace),
    ],
    'add_actions',
  );
}

/** The right to end it, as long as nobody has a higher token. */
export interface Held {
  readonly id: number;
  readonly token: number;
}

export interface Claimed extends Held, NewAction {
  readonly workflowId: string;
  /** Claims, this one included. */
  readonly attempts: number;
  readonly checkpoint: unknown;
  /** Of the last try that failed. */
  readonly error: string | null;
}

export interface WantedActions {
  readonly known: readonly {
    readonly workflow: string;
    readonly name: string;
    /** The version of its workflow's code here (1): workflows that need a higher one are left alone. */
    readonly schema?: number;
  }[];
  readonly holder: string;
  readonly ttlMs: number;
}

/** What is due, or was left behind by a process that is gone: the oldest first, whichever workflow it is of. */
export async function claimActions(db: Queryable, wanted: WantedActions, most: number): Promise<Claimed[]> {
  const workflows = new Map(wanted.known.map(({ workflow, schema = 1 }) => [workflow, schema]));
  const { rows } = await db.query<Claimed>(
    `with next as (
       select free.id
       from unnest($1::text[], $6::smallint[]) as kind(workflow, version), lateral (
         select * from (
           select action.id, action.due_at
           from action join workflow on workflow.key = action.workflow_key
           where action.workflow = kind.workflow and action.state = 'running' and action.expires_at < clock()
             and action.workflow || '/' || action.name = any($2::text[]) and workflow.status = 'running'
             and workflow.needs_version <= kind.version
           order by action.expires_at
           limit $5
           for update of action skip locked) expired
         union all
         select * from (
           select action.id, action.due_at
           from action join workflow on workflow.key = action.workflow_key
           where action.workflow = kind.workflow and action.state = 'waiting' and action.due_at <= clock()
             and action.workflow || '/' || action.name = any($2::text[]) and workflow.status = 'running'
             and workflow.needs_version <= kind.version
           order by action.due_at, action.id
           limit $5
           for update of action skip locked) waiting) free
       order by free.due_at, free.id
       limit $5),
     taken as (
       update action
       set state = 'running', holder = $3, token = token + 1, attempts = attempts + 1,
           expires_at = clock() + $4 * interval '1 millisecond'
       from next
       where action.id = next.id
       returning action.*)
     select taken.id, taken.token, taken.tenant, taken.workflow_key as "workflowKey", taken.workflow, taken.version,
            taken.n, taken.name, taken.input, workflow.id as "workflowId", taken.attempts, taken.checkpoint, taken.error, taken.trace
     from taken join workflow on workflow.key = taken.workflow_key
     order by taken.due_at, taken.id`,
    [
      [...workflows.keys()],
      wanted.known.map(({ workflow, name }) => `${workflow}/${name}`),
      wanted.holder,
      wanted.ttlMs,
      most,
      [...workflows.values()],
    ],
    'claim_actions',
  );
  return rows;
}

/** The tokens of those that are still held and still wanted; the others are lost or cancelled. */
export async function renewActions(
  db: Queryable,
  held: readonly Held[],
  ttlMs: number,
): Promise<Map<number, number>> {
  const rows = await many<Held>(
    db,
    `with mine as (
       select action.id
       from action join unnest($1::bigint[], $2::bigint[]) as held(id, token) using (id, token)
       where action.state = 'running'
       order by action.id
       for no key update of action)
     update action set expires_at = clock() + $3 * interval '1 millisecond'
     from mine where action.id = mine.id
     returning action.id, action.token`,
    [...columns(held), ttlMs],
  );
  return tokens(rows);
}

/** Keeps where it stands, and the hold. False when it is lost. */
export async function saveCheckpoint(
  db: Queryable,
  held: Held,
  checkpoint: string,
  ttlMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update action set checkpoint = $3::json, expires_at = clock() + $4 * interval '1 millisecond'
     where id = $1 and token = $2 and state = 'running'`,
    [held.id, held.token, checkpoint, ttlMs],
  );
  return rowCount === 1;
}

/** Puts it back with a delay. False when it is lost. */
export async function retryActionLater(
  db: Queryable,
  held: Held,
  error: string,
  delayMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update action
     set state = 'waiting', holder = null, expires_at = null, error = $3,
         due_at = clock() + $4 * interval '1 millisecond'
     where id = $1 and token = $2 and state = 'running'`,
    [held.id, held.token, error, delayMs],
  );
  return rowCount === 1;
}

export interface Ended extends Held {
  readonly state: 'done' | 'failed';
  /** JSON, of one that went well. */
  readonly result: string | null;
  readonly error: string | null;
}

/** The tokens of those that were really ended: those that are lost are left as they are. */
export async function endActions(tx: Tx, ended: readonly Ended[]): Promise<Map<number, number>> {
  const { rows } = await tx.query<Held>(
    `with mine as (
       select action.id, ended.state, ended.result, ended.error
       from action
       join unnest($1::bigint[], $2::bigint[], $3::text[], $4::json[], $5::text[])
         as ended(id, token, state, result, error) using (id, token)
       where action.state = 'running'
       order by action.id
       for no key update of action)
     update action
     set state = mine.state, result = mine.result, error = mine.error, holder = null, expires_at = null, ended_at = clock()
     from mine where action.id = mine.id
     returning action.id, action.token`,
    [
      ...columns(ended),
      ended.map(({ state }) => state),
      ended.map(({ result }) => result),
      ended.map(({ error }) => error),
    ],
    'end_actions',
  );
  return tokens(rows);
}

/** Gives them back for anybody to go on. An orderly end is not a try. */
export async function releaseActions(db: Queryable, held: readonly Held[]): Promise<void> {
  await db.query(
    `with mine as (
       select action.id
       from action join unnest($1::bigint[], $2::bigint[]) as held(id, token) using (id, token)
       where action.state = 'running'
       order by action.id
       for no key update of action)
     update action set state = 'waiting', holder = null, expires_at = null, attempts = greatest(attempts - 1, 0)
     from mine where action.id = mine.id`,
    columns(held),
  );
}

/** Ends those that have not ended, of these workflows: all, or the ones of a name. One that runs is told by its signal. */
export async function cancelActions(
  tx: Tx,
  workflowKeys: readonly number[],
  name: string | null = null,
): Promise<void> {
  const cancelled = await many<{ id: number; tried: boolean }>(
    tx,
    `with open as (
       select id from action
       where workflow_key = any($1::bigint[]) and ($2::text is null or name = $2) and state in ('waiting', 'running')
       order by id
       for no key update)
     update action set state = 'cancelled', holder = null, expires_at = null, ended_at = clock()
     from open where action.id = open.id
     returning action.id, action.error is not null as tried`,
    [workflowKeys, name],
  );
  const tried = cancelled.filter((action) => action.tried).map(({ id }) => id);
  if (tried.length > 0) await reopenActionLetters(tx, tried);
}

function columns(held: readonly Held[]): [number[], number[]] {
  return [held.map(({ id }) => id), held.map(({ token }) => token)];
}

/** By id, but not the ids alone: a process that was away for long may hold an action anew, and still run the old try. */
function tokens(held: readonly Held[]): Map<number, number> {
  return new Map(held.map(({ id, token }) => [id, token]));
}

/** Of a process that is known to be dead: they needn't wait until its holds expire. */
export async function expireActionsOf(tx: Tx, holder: string): Promise<void> {
  await tx.query(
    `update action set expires_at = clock() - interval '1 millisecond' where holder = $1 and state = 'running'`,
    [holder],
  );
}
