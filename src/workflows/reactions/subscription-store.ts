/** Finds the subscribers of events. Queried for every batch, so subscriptions of any process take effect at once. */
import type { Tx } from '../../db/database.ts';
import type { WorkflowRef } from '../../events/event.ts';
import type { Interest } from '../effects.ts';

export interface Subscriber {
  /** Index of the event, from 0. */
  readonly n: number;
  readonly workflow: string;
  readonly id: string;
}

export interface PublishedEvent extends WorkflowRef {
  readonly type: string;
  readonly tags: readonly string[];
}

export async function findSubscribers(tx: Tx, events: readonly PublishedEvent[]): Promise<Subscriber[]> {
  const { rows } = await tx.query<Subscriber>(
    `with said as (
       select n - 1 as n, tenant, workflow, id, type, array(select json_array_elements_text(tags)) as tags
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::json[]) with ordinality as e(tenant, workflow, id, type, tags, n)
       where exists (select from subscription)),
     heard as (
       select said.n, said.workflow as said_by, said.id as said_id, said.tags as said_tags, s.*
       from said join subscription s on s.tenant = said.tenant and s.on_id = said.id
       where (s.on_workflow is null or s.on_workflow = said.workflow) and (s.on_type is null or s.on_type = said.type)
       union all
       select said.n, said.workflow as said_by, said.id as said_id, said.tags as said_tags, s.*
       from said join subscription s on s.tenant = said.tenant and s.on_id is null
       where (s.on_workflow is null or s.on_workflow = said.workflow) and (s.on_type is null or s.on_type = said.type))
     select distinct n, workflow, workflow_id as id from heard
     where (workflow, workflow_id) <> (said_by, said_id) -- a workflow never receives its own events
       and (tags = '{}' or case when every_tag then said_tags @> tags else said_tags && tags end)
     order by n, workflow, workflow_id`,
    [
      events.map(({ tenant }) => tenant),
      events.map(({ workflow }) => workflow),
      events.map(({ id }) => id),
      events.map(({ type }) => type),
      events.map(({ tags }) => JSON.stringify(tags)),
    ],
    'subscribers',
  );
  return rows;
}

export async function addSubscription(tx: Tx, who: WorkflowRef, name: string, to: Interest): Promise<void> {
  await tx.query(
    `insert into subscription (tenant, workflow, workflow_id, name, on_workflow, on_id, on_type, tags, every_tag)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (tenant, workflow, workflow_id, name) do update
     set on_workflow = excluded.on_workflow, on_id = excluded.on_id, on_type = excluded.on_type, tags = excluded.tags,
         every_tag = excluded.every_tag`,
    [
      who.tenant,
      who.workflow,
      who.id,
      name,
      to.workflow ?? null,
      to.id ?? null,
      to.type ?? null,
      to.tags ?? [],
      to.everyTag ?? false,
    ],
  );
}

export async function removeSubscription(tx: Tx, who: WorkflowRef, name: string): Promise<void> {
  await tx.query(
    'delete from subscription where tenant = $1 and workflow = $2 and workflow_id = $3 and name = $4',
    [who.tenant, who.workflow, who.id, name],
  );
}
