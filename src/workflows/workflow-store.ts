/** The rows of workflows: who they are, how far they have come, whether they may go on. */
import { many, maybeOne, type Queryable, type Tx } from '../db/database.ts';
import type { Address } from '../events/event.ts';

export type Status = 'running' | 'paused' | 'completed' | 'cancelled';

export interface Head extends Address {
  readonly key: number;
  readonly version: number;
  readonly status: Status;
}

/** Locks them in one order for everybody: writers queue, and never in a circle. */
export async function lockWorkflows(tx: Tx, keys: readonly number[]): Promise<Map<number, Head>> {
  const heads = await many<Head>(
    tx,
    `select key, tenant, name as workflow, id, version, status from workflow
     where key = any($1::bigint[])
     order by key
     for no key update`,
    [keys],
  );
  return new Map(heads.map((head) => [head.key, head]));
}

export function readHead(db: Queryable, { tenant, workflow, id }: Address): Promise<Head | null> {
  return maybeOne<Head>(
    db,
    `select key, tenant, name as workflow, id, version, status from workflow
     where tenant = $1 and name = $2 and id = $3`,
    [tenant, workflow, id],
  );
}
