/** Reads what is needed to decide: the rows of workflows, their last snapshots, and the events since. */
import { many, maybeOne, type Queryable } from '../../db/database.ts';
import type { StoredEvent } from '../../events/event.ts';
import type { VersionRange } from '../../events/read-store.ts';
import type { AnyWorkflow } from '../define.ts';
import type { Status } from '../workflow-store.ts';

export interface LoadRequest {
  readonly tenant: string;
  readonly id: string;
  readonly commandId: string | null;
}

/** Snapshots of other versions are not used: their schema may differ. */
type StoredStates = Pick<AnyWorkflow, 'name' | 'version' | 'stateVersion'>;
/** Of several requests for one workflow only one reads its history. */
export type LoadRequestRow = LoadRequest & { readonly whole: boolean };

export interface LoadedRow {
  /** Index of the request, from 0. */
  readonly n: number;
  readonly now: Date;
  readonly key: number | null;
  readonly headVersion: number;
  /** The minimum version of the code that may process it. */
  readonly needsVersion: number;
  readonly status: Status;
  /** A command with this id has taken effect. */
  readonly handled: boolean;
  readonly snapshotVersion: number;
  /** Only on the first row of each request. */
  readonly snapshot: unknown;
  /** False: the requests before it reached the limit, so its events were not read. */
  readonly isRead: boolean;
  readonly event: StoredEvent | null;
}

export interface LoadLimits {
  /** Maximum events of one workflow. */
  readonly each: number;
  /** Maximum events in total: once reached, no further workflows are read. */
  readonly portion: number;
}

/**
 * One row for each event since the snapshot, within the limits; one without event where there is none. The limits make the planner use an index lookup
 * for each workflow, so a plan made for a small table suits a large one.
 */
export async function loadWorkflows(
  db: Queryable,
  { name, version, stateVersion }: StoredStates,
  wanted: readonly LoadRequestRow[],
  { each, portion }: LoadLimits,
): Promise<LoadedRow[]> {
  const { rows } = await db.query<Row>(
    `select head.n, clock() as now, head.key, head.head_version, head.needs_version, head.status, head.handled, head.snapshot_version,
            case when e.version is null or e.version = head.snapshot_version + 1 then head.snapshot end as snapshot,
            head.events_before < $9 as is_read, e.version, e.type, e.schema, e.data, e.at
     from (
       select wanted.n, wanted.whole, workflow.key, workflow.version as head_version, workflow.needs_version, workflow.status,
              coalesce((
                select true from event
                where workflow_key = workflow.key and event.command_id = wanted.command_id
                limit 1), case when workflow.command_ids_kept then (
                select true from handled_command
                where workflow_key = workflow.key and command = ${commandHash('wanted.command_id')}
                limit 1) end, false) as handled,
              snapshot.version as snapshot_version, snapshot.state as snapshot,
              coalesce(sum(case when wanted.whole then least(coalesce(workflow.version - coalesce(snapshot.version, 0), 0), $6) end)
                over (order by wanted.n rows between unbounded preceding and 1 preceding), 0) as events_before
       from unnest($2::text[], $3::text[], $4::text[], $8::boolean[]) with ordinality as wanted(tenant, id, command_id, whole, n)
       left join lateral (
         select key, version, needs_version, status, command_ids_kept from workflow
         where workflow.tenant = wanted.tenant and workflow.name = $1 and workflow.id = wanted.id
         limit 1) workflow on true
       left join lateral (
         select version, state from snapshot
         where workflow_key = workflow.key and snapshot.schema = $5 and snapshot.state_version = $7 and wanted.whole
         order by version desc
         limit 1) snapshot on true) head
     left join lateral (
       select * from event
       where workflow_key = head.key and event.version > coalesce(head.snapshot_version, 0) and head.whole and head.events_before < $9
       order by event.version
       limit $6) e on true
     order by head.n, e.version`,
    [
      name,
      wanted.map(({ tenant }) => tenant),
      wanted.map(({ id }) => id),
      wanted.map(({ commandId }) => commandId),
      version,
      each,
      stateVersion,
      wanted.map(({ whole }) => whole),
      portion,
    ],
    'load',
  );
  return rows.map(loadedOf);
}

/** Fixed-size hash under which command ids are kept when their events are deleted. */
export function commandHash(column: string): string {
  return `substr(sha256(convert_to(${column}, 'UTF8')), 1, 16)`;
}

interface Row {
  n: number;
  now: Date;
  key: number | null;
  head_version: number | null;
  needs_version: number | null;
  status: Status | null;
  handled: boolean;
  snapshot_version: number | null;
  snapshot: unknown;
  is_read: boolean;
  version: number | null;
  type: string;
  schema: number;
  data: Record<string, unknown>;
  at: Date;
}

function loadedOf(row: Row): LoadedRow {
  const { version, type, schema, data, at } = row;
  const event =
    version === null ? null : { workflowKey: row.key!, version, type, schema, data, at, tags: [] };
  return {
    n: row.n - 1,
    now: row.now,
    key: row.key,
    headVersion: row.head_version ?? 0,
    needsVersion: row.needs_version ?? 1,
    status: row.status ?? 'running',
    handled: row.handled,
    snapshotVersion: row.snapshot_version ?? 0,
    snapshot: row.snapshot,
    isRead: row.is_read,
    event,
  };
}

/** The version of the last continue-as-new event, which contains the state. */
export async function lastBeginning(
  db: Queryable,
  { key, after, upTo }: VersionRange,
): Promise<number | null> {
  const row = await maybeOne<{ version: number }>(
    db,
    `select version from event
     where workflow_key = $1 and event.version > $2 and event.version <= $3 and type = 'workflow.continued'
     order by version desc
     limit 1`,
    [key, after, upTo],
  );
  return row?.version ?? null;
}

/** The newest snapshot of each workflow that is not newer than a version. */
export async function snapshotsAt(
  db: Queryable,
  { version, stateVersion }: StoredStates,
  wanted: readonly { readonly key: number; readonly version: number }[],
): Promise<Map<number, { version: number; state: unknown }>> {
  const rows = await many<{ key: number; version: number; state: unknown }>(
    db,
    `select wanted.key, snapshot.version, snapshot.state
     from unnest($1::bigint[], $2::bigint[]) as wanted(key, version)
     cross join lateral (
       select version, state from snapshot
       where workflow_key = wanted.key and snapshot.version <= wanted.version and snapshot.schema = $3 and snapshot.state_version = $4
       order by version desc
       limit 1) snapshot`,
    [wanted.map(({ key }) => key), wanted.map((one) => one.version), version, stateVersion],
  );
  return new Map(rows.map(({ key, version, state }) => [key, { version, state }]));
}

export async function saveSnapshots(
  db: Queryable,
  { version: schema, stateVersion }: StoredStates,
  snapshots: readonly { readonly key: number; readonly version: number; readonly state: string }[],
): Promise<void> {
  await db.query(
    `insert into snapshot (workflow_key, version, schema, state_version, state)
     select key, version, $4, $5, state from unnest($1::bigint[], $2::bigint[], $3::json[]) as taken(key, version, state)
     where exists (select from workflow where workflow.key = taken.key and purged_at is null)
     order by key, version
     on conflict (workflow_key, version) do update
     set schema = excluded.schema, state_version = excluded.state_version, state = excluded.state
     -- Commands and reactions pass the same versions.
     where (snapshot.schema, snapshot.state_version) <> (excluded.schema, excluded.state_version)`,
    [
      snapshots.map(({ key }) => key),
      snapshots.map(({ version }) => version),
      snapshots.map(({ state }) => state),
      schema,
      stateVersion,
    ],
  );
}
