/** SQL statements for search attributes. Those of commands are written by the append itself: see events/append-store.ts. */
import type { Queryable } from '../../db/database.ts';

export interface AttributeUpdate {
  readonly key: number;
  /** Version of the event whose state they show. */
  readonly version: number;
  /** As JSON. */
  readonly attributes: string;
}

/** Writes those newer than what is stored; rows of the others are not even locked. In key order, the global lock order. */
export async function saveAttributes(tx: Queryable, shown: readonly AttributeUpdate[]): Promise<void> {
  await tx.query(
    `insert into workflow_attribute (workflow_key, version, attributes)
     select s.key, s.version, s.attributes
     from unnest($1::bigint[], $2::bigint[], $3::jsonb[]) as s(key, version, attributes)
     left join workflow_attribute stored on stored.workflow_key = s.key
     where stored.version is null or stored.version < s.version
     order by s.key
     on conflict (workflow_key) do update
     set version = excluded.version, attributes = excluded.attributes
     where workflow_attribute.version < excluded.version`,
    [
      shown.map(({ key }) => key),
      shown.map(({ version }) => version),
      shown.map(({ attributes }) => attributes),
    ],
    'save_attributes',
  );
}
