/** SQL statements for the progress of a projection, per workflow. */
import { many, type Queryable, type Tx } from '../../db/database.ts';

/** By key. For a workflow without progress: the version before its first remaining event. */
export async function progressOf(
  db: Queryable,
  lease: number,
  keys: readonly number[],
): Promise<Map<number, number>> {
  const rows = await many<{ key: number; version: number }>(
    db,
    `select met.key, coalesce(
         progress.version,
         (select event.version - 1 from event where event.workflow_key = met.key order by event.version limit 1),
         0) as version
     from unnest($2::bigint[]) as met(key)
     left join projection_progress progress on progress.workflow_key = met.key and progress.lease_id = $1`,
    [lease, keys],
  );
  return new Map(rows.map(({ key, version }) => [key, version]));
}

/** In the transaction that applies the events, after its lease checkpoint. */
export async function saveProgress(
  tx: Tx,
  lease: number,
  versions: ReadonlyMap<number, number>,
): Promise<void> {
  await tx.query(
    `insert into projection_progress (workflow_key, lease_id, version)
     select key, $1, version from unnest($2::bigint[], $3::bigint[]) as applied(key, version)
     order by key
     on conflict (workflow_key, lease_id) do update set version = excluded.version`,
    [lease, [...versions.keys()], [...versions.values()]],
  );
}

/** For these workflows only later events are applied, including those committed after this transaction, as these have higher versions. */
export async function skipExistingEvents(tx: Tx, lease: number, kinds: readonly string[]): Promise<void> {
  await tx.query(
    `insert into projection_progress (workflow_key, lease_id, version)
     select key, $1, version from workflow where name = any($2::text[]) and version > 0
     order by key
     on conflict (workflow_key, lease_id) do nothing`,
    [lease, kinds],
  );
}

export async function deleteProgress(tx: Tx, lease: number): Promise<void> {
  await tx.query('delete from projection_progress where lease_id = $1', [lease]);
}
