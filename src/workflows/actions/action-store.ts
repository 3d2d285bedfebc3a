/** SQL statements for actions, one function each. The protocol is described in action.ts. */
import { many, type Queryable, type Tx } from '../../db/database.ts';
import { reopenActionDeadLetters } from './action-dead-letter-store.ts';

export interface NewAction {
  readonly tenant: string;
  readonly workflowKey: number;
  readonly workflow: string;
  /** Version of the event that asked for it. */
  readonly version: number;
  /** Index among the actions of that event, from 0. */
  readonly n: number;
  readonly name: string;
  readonly input: unknown;
  /** Its explicit idempotency key. While an action of this workflow, name and key is open, another one is not added. */
  readonly key?: string | null;
  /** The key its limits are counted by. */
  readonly limitKey?: string | null;
  /** Cancelled before it could begin: inserted only as a record. */
  readonly cancelled?: boolean;
  readonly trace?: string | null | undefined;
}

/** Claimable once the transaction commits. An existing action stays unchanged. */
export async function addActions(tx: Tx, wanted: readonly NewAction[]): Promise<void> {
  const actions = dedupeByKey(wanted);
  await tx.query(
    `insert into action (tenant, workflow_key, workflow, version, n, name, input, state, ended_at, idempotency_key, limit_key, trace)
     select tenant, workflow_key, workflow, version, n, name, input,
            case when cancelled then 'cancelled' else 'waiting' end, case when cancelled then clock() end, key, limit_key, trace
     from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::smallint[], $6::text[], $7::json[], $8::boolean[],
                 $9::text[], $10::text[], $11::text[])
       as a(tenant, workflow_key, workflow, version, n, name, input, cancelled, key, limit_key, trace)
     where key is null or not exists (
       select from action open
       where open.workflow_key = a.workflow_key and open.name = a.name and open.idempotency_key = a.key
         and open.state in ('waiting', 'running'))
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
      actions.map(({ key = null }) => key),
      actions.map(({ limitKey = null }) => limitKey),
      actions.map(({ trace = null }) => trace),
    ],
    'add_actions',
  );
}

/**
 * Locks the workflows and adds the actions of those that have not ended, in one statement. Only for actions without a key of their own: whether one
 * with that key is open can only be asked after the lock was granted.
 */
export async function addActionsOfOpen(tx: Tx, actions: readonly NewAction[]): Promise<void> {
  await tx.query(
    `with locked as materialized (
       select key, status from workflow
       where key = any($2::bigint[])
       order by key
       for no key update)
     insert into action (tenant, workflow_key, workflow, version, n, name, input, state, ended_at, limit_key, trace)
     select tenant, workflow_key, workflow, version, n, name, input,
            case when cancelled then 'cancelled' else 'waiting' end, case when cancelled then clock() end, limit_key, trace
     from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::smallint[], $6::text[], $7::json[], $8::boolean[],
                 $9::text[], $10::text[])
       with ordinality as a(tenant, workflow_key, workflow, version, n, name, input, cancelled, limit_key, trace, place)
     join locked on locked.key = a.workflow_key
     where locked.status in ('running', 'paused')
     order by a.place -- ids in the order of the events
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
      actions.map(({ limitKey = null }) => limitKey),
      actions.map(({ trace = null }) => trace),
    ],
    'add_actions_of_open',
  );
}

/** Actions of one batch with the same explicit key are one action. */
function dedupeByKey(actions: readonly NewAction[]): readonly NewAction[] {
  const seen = new Set<string>();
  return actions.filter(({ workflowKey, name, key = null, cancelled = false }) => {
    if (key === null || cancelled) return true;
    const of = JSON.stringify([workflowKey, name, key]);
    return !seen.has(of) && seen.add(of);
  });
}

/** The right to end an action, as long as `token` is its latest fencing token. */
export interface HeldAction {
  readonly id: number;
  readonly token: number;
}

/** Returns the tokens of actions still held and not cancelled; the others are lost. */
export async function renewActions(
  db: Queryable,
  held: readonly HeldAction[],
  ttlMs: number,
): Promise<Map<number, number>> {
  const rows = await many<HeldAction>(
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

/** Saves the checkpoint and renews the lease. A new checkpoint resets the crash counts, because the action makes progress. False when the lease is lost. */
export async function saveCheckpoint(
  db: Queryable,
  held: HeldAction,
  checkpoint: string,
  ttlMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update action
     set checkpoint = $3::text::json, crashes_alone = case when checkpoint::text = $3::text then crashes_alone else 0 end,
         expires_at = clock() + $4 * interval '1 millisecond'
     where id = $1 and token = $2 and state = 'running'`,
    [held.id, held.token, checkpoint, ttlMs],
  );
  return rowCount === 1;
}

/** Requeues it with a delay. False when the lease is lost. */
export async function releaseActionWithBackoff(
  db: Queryable,
  held: HeldAction,
  error: string,
  delayMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update action
     set state = 'waiting', holder = null, expires_at = null, error = $3, alone = false,
         due_at = clock() + $4 * interval '1 millisecond'
     where id = $1 and token = $2 and state = 'running'`,
    [held.id, held.token, error, delayMs],
  );
  return rowCount === 1;
}

export interface EndedAction extends HeldAction {
  readonly state: 'done' | 'failed';
  /** JSON; of an action that succeeded. */
  readonly result: string | null;
  readonly error: string | null;
}

/** Returns the tokens of those really ended: lost actions are left unchanged. */
export async function endActions(tx: Tx, ended: readonly EndedAction[]): Promise<Map<number, number>> {
  const { rows } = await tx.query<HeldAction>(
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

/** Releases actions so that any runner can continue them. A graceful stop costs no attempt; crashes stay counted. */
export async function releaseActions(db: Queryable, held: readonly HeldAction[]): Promise<void> {
  await db.query(
    `with mine as (
       select action.id
       from action join unnest($1::bigint[], $2::bigint[]) as held(id, token) using (id, token)
       where action.state = 'running'
       order by action.id
       for no key update of action)
     update action
     set state = 'waiting', holder = null, expires_at = null, attempts = greatest(attempts - 1, 0), alone = false
     from mine where action.id = mine.id`,
    columns(held),
  );
}

/** Releases actions that were written before their definition had a limit, with the limit key that is now counted. */
export async function requeueWithLimitKey(
  db: Queryable,
  limited: readonly (HeldAction & { readonly limitKey: string })[],
): Promise<void> {
  await db.query(
    `with mine as (
       select action.id, held.limit_key
       from action join unnest($1::bigint[], $2::bigint[], $3::text[]) as held(id, token, limit_key) using (id, token)
       where action.state = 'running'
       order by action.id
       for no key update of action)
     update action
     set state = 'waiting', holder = null, expires_at = null, attempts = greatest(attempts - 1, 0), limit_key = mine.limit_key
     from mine where action.id = mine.id`,
    [...columns(limited), limited.map(({ limitKey }) => limitKey)],
  );
}

/** Cancels the open actions of these workflows: all, or those with a name. A running action is aborted by its signal. */
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
  if (tried.length > 0) await reopenActionDeadLetters(tx, tried);
}

function columns(held: readonly HeldAction[]): [number[], number[]] {
  return [held.map(({ id }) => id), held.map(({ token }) => token)];
}

/** By id and token: a process that lost an action may hold it again, and still run the old attempt. */
function tokens(held: readonly HeldAction[]): Map<number, number> {
  return new Map(held.map(({ id, token }) => [id, token]));
}

/** For a process known to be dead: its actions can be claimed without waiting for their leases to expire. */
export async function expireActionsOf(tx: Tx, holder: string): Promise<void> {
  await tx.query(
    `update action set expires_at = clock() - interval '1 millisecond' where holder = $1 and state = 'running'`,
    [holder],
  );
}
