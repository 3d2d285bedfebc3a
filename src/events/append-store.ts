/** Appends to the log: one statement for any number of workflows, each with its expected version. */
import { SeineError } from '../base/errors.ts';
import type { Queryable } from '../db/database.ts';
import { sanitizeJson } from '../db/sanitize.ts';
import type { WorkflowRef } from './event.ts';
import { hashOf, slotOf } from './hash.ts';

export interface NewEvent {
  readonly type: string;
  readonly schema?: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  /** Id of the command that led to it, on the first of its events, for deduplication. */
  readonly commandId?: string | null;
  /** The trace that it belongs to. */
  readonly trace?: string | null | undefined;
}

export interface AppendRequest extends WorkflowRef {
  /** Null: the workflow starts with this append. */
  readonly key: number | null;
  /** The version of its last event: 0 for a new workflow. */
  readonly expected: number;
  readonly events: readonly NewEvent[];
  /** Search attributes of the state after these events, as JSON; null: unchanged. */
  readonly attributes?: string | null;
  /**
   * Version of the code that decided on these events: rejected if the workflow requires newer code. Null:
   * facts, valid from any code.
   */
  readonly codeVersion?: number | null;
}

/** Maximum size of one event: the log is for facts, not for files. */
export const MAX_EVENT_BYTES = 256 * 1024;

/**
 * Returns the keys of the workflows appended to, in the order of `appends`; null for a version conflict,
 * where nothing was written for that workflow. A workflow may occur only once.
 */
export async function appendEvents(
  db: Queryable,
  appends: readonly AppendRequest[],
): Promise<(number | null)[]> {
  const [first] = appends;
  if (appends.length === 1 && first!.key !== null && (first!.attributes ?? null) === null)
    return [await appendToOne(db, first!)];
  const hashes = appends.map(({ id }) => hashOf(id));
  const events = appends.flatMap((append, n) => append.events.map((event, i) => rowOf(event, n, i)));
  const { rows } = await db.query<{ n: number; key: number }>(
    `with wanted as materialized (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::smallint[], $6::bigint[], $7::bigint[], $8::integer[],
                            $17::smallint[], $18::jsonb[], $19::smallint[])
         with ordinality as w(tenant, name, id, hash, slot, key, expected, added, needs, attributes, code, n)
       where (select require_own_log())),
     -- Many at once are locked in the order of their keys, as everybody does, and then new ones begin in the order of their ids: two who write
     -- to the same ones never wait in a circle.
     locked as materialized (
       select from workflow join wanted on wanted.key = workflow.key
       where (select count(*) from wanted) > 1
       order by workflow.key
       for no key update of workflow),
     begun as (
       insert into workflow (tenant, name, id, hash, version, needs_version)
       select tenant, name, id, hash, added, needs from wanted where key is null and (select count(*) from locked) >= 0
       order by tenant, name, id
       on conflict (tenant, name, id) do nothing
       returning key, tenant, name, id),
     moved as (
       update workflow set version = workflow.version + wanted.added, changed_at = clock(),
                           needs_version = greatest(workflow.needs_version, wanted.needs)
       from wanted
       where workflow.key = wanted.key and workflow.version = wanted.expected and (select count(*) from locked) >= 0
         and workflow.status in ('running', 'paused') -- nothing is added to a workflow that has ended since it was read
         and (wanted.code is null or workflow.needs_version <= wanted.code) -- nor by code that it has outgrown since
       returning workflow.key, wanted.n),
     heads as (
       select wanted.n, begun.key from wanted join begun using (tenant, name, id)
       union all
       select n, key from moved),
     added as (
       insert into event (workflow_key, version, workflow, slot, hash, type, schema, data, tags, command_id, trace)
       select heads.key, wanted.expected + e.i, wanted.name, wanted.slot, wanted.hash, e.type, e.schema, e.data,
              array(select json_array_elements_text(e.tags)), e.command_id, e.trace
       from heads join wanted on wanted.n = heads.n
       join unnest($9::bigint[], $10::integer[], $11::text[], $12::smallint[], $13::json[], $14::json[], $15::text[], $16::text[])
         as e(n, i, type, schema, data, tags, command_id, trace) on e.n = heads.n
       order by heads.n, e.i),
     shown as (
       insert into workflow_attribute (workflow_key, version, attributes)
       select heads.key, wanted.expected + wanted.added, wanted.attributes
       from heads join wanted on wanted.n = heads.n
       where wanted.attributes is not null
       order by heads.key
       on conflict (workflow_key) do update
       set version = excluded.version, attributes = excluded.attributes
       where workflow_attribute.version < excluded.version)
     select n, key from heads`,
    [
      appends.map(({ tenant }) => tenant),
      appends.map(({ workflow }) => workflow),
      appends.map(({ id }) => id),
      hashes.map(String),
      hashes.map(slotOf),
      appends.map(({ key }) => key),
      appends.map(({ expected }) => expected),
      appends.map(({ events: added }) => added.length),
      events.map(({ n }) => n),
      events.map(({ i }) => i),
      events.map(({ type }) => type),
      events.map(({ schema }) => schema),
      events.map(({ data }) => data),
      events.map(({ tags }) => tags),
      events.map(({ commandId }) => commandId),
      events.map(({ trace }) => trace),
      appends.map(({ events: added }) => Math.max(1, ...added.map(({ schema = 1 }) => schema))),
      appends.map(({ attributes = null }) => attributes),
      appends.map(({ codeVersion = null }) => codeVersion),
    ],
    'append',
  );
  const keys = new Map(rows.map(({ n, key }) => [n, key]));
  return appends.map((_, n) => keys.get(n + 1) ?? null);
}

/** The same for a single workflow that has begun and shows no attributes: the usual append, at half the cost. */
async function appendToOne(db: Queryable, append: AppendRequest): Promise<number | null> {
  const { key, expected, workflow, id, codeVersion = null } = append;
  const events = append.events.map((event, i) => rowOf(event, 0, i));
  const hash = hashOf(id);
  const { rows } = await db.query<{ key: number }>(
    `with moved as (
       update workflow set version = version + $3, changed_at = clock(), needs_version = greatest(needs_version, $4)
       where key = $1 and version = $2 and (select require_own_log())
         and status in ('running', 'paused') and ($5::smallint is null or needs_version <= $5)
       returning key),
     added as (
       insert into event (workflow_key, version, workflow, slot, hash, type, schema, data, tags, command_id, trace)
       select moved.key, $2 + e.i, $6, $7::smallint, $8::numeric, e.type, e.schema, e.data,
              array(select json_array_elements_text(e.tags)), e.command_id, e.trace
       from moved
       cross join unnest($9::integer[], $10::text[], $11::smallint[], $12::json[], $13::json[], $14::text[], $15::text[])
         as e(i, type, schema, data, tags, command_id, trace)
       order by e.i)
     select key from moved`,
    [
      key,
      expected,
      events.length,
      Math.max(1, ...events.map(({ schema }) => schema)),
      codeVersion,
      workflow,
      slotOf(hash),
      String(hash),
      events.map(({ i }) => i),
      events.map(({ type }) => type),
      events.map(({ schema }) => schema),
      events.map(({ data }) => data),
      events.map(({ tags }) => tags),
      events.map(({ commandId }) => commandId),
      events.map(({ trace }) => trace),
    ],
    'append_one',
  );
  return rows[0]?.key ?? null;
}

function rowOf(event: NewEvent, n: number, i: number) {
  const data = sanitizeJson(event.data);
  if (data.length > MAX_EVENT_BYTES) {
    throw new SeineError(
      'limit',
      `The event ${event.type} has ${data.length} bytes; the maximum is ${MAX_EVENT_BYTES}.`,
      {
        hint: 'Keep large things elsewhere, and their address in the event.',
      },
    );
  }
  const tags = JSON.stringify(event.tags ?? []);
  const { type, schema = 1, commandId = null, trace = null } = event;
  return { n: n + 1, i: i + 1, type, schema, data, tags, commandId, trace };
}
