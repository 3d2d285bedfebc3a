/** Reads the progress of any number of workflows by one statement, for clients that wait. */
import type { Queryable } from '../../db/database.ts';
import type { WorkflowRef } from '../../events/event.ts';
import type { Status } from '../workflow-store.ts';

export interface WorkflowProgress {
  readonly key: number;
  readonly status: Status;
  readonly version: number;
  /** The last event that was reacted to. */
  readonly reacted: number;
  readonly result: unknown;
  readonly failure: string | null;
  /** The workflow was purged, with its result. */
  readonly purged: boolean;
  /** Why its reactions are parked. */
  readonly parked: string | null;
}

/** In the order of `wanted`; null: it has not begun. */
export async function readWorkflowProgress(
  db: Queryable,
  wanted: readonly WorkflowRef[],
): Promise<(WorkflowProgress | null)[]> {
  const { rows } = await db.query<WorkflowProgress & { n: number }>(
    `select wanted.n, workflow.key, workflow.status, workflow.version, coalesce(reaction.version, 0) as reacted,
            workflow.result, workflow.failure, workflow.purged_at is not null as purged,
            case when reaction.parked_at is not null then coalesce(reaction.error, '') end as parked
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as wanted(tenant, name, id, n)
     join lateral (
       select key, status, version, result, failure, purged_at from workflow
       where workflow.tenant = wanted.tenant and workflow.name = wanted.name and workflow.id = wanted.id
       limit 1) workflow on true
     left join lateral (
       select version, parked_at, error from reaction
       where workflow_key = workflow.key
       limit 1) reaction on true`,
    [wanted.map(({ tenant }) => tenant), wanted.map(({ workflow }) => workflow), wanted.map(({ id }) => id)],
    'workflow_standings',
  );
  const found = new Map(rows.map(({ n, ...progress }) => [n - 1, progress]));
  return wanted.map((_, n) => found.get(n) ?? null);
}
