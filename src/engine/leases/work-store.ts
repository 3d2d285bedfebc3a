/** Works: what leases belong to. */
import type { Queryable, Tx } from '../../db/database.ts';

export async function createWork(
  tx: Tx,
  work: { tenant: string; kind: string; priority: number },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    'insert into work (tenant, kind, priority) values ($1, $2, $3) returning id',
    [work.tenant, work.kind, work.priority],
  );
  return rows[0]!.id;
}

export async function readWork(
  db: Queryable,
  id: number,
): Promise<{ remaining: number; failed: number } | null> {
  const { rows } = await db.query<{ remaining: number; failed: number }>(
    'select remaining, failed from work where id = $1',
    [id],
  );
  return rows[0] ?? null;
}

/** Who holds leases of this work now, and until when by the database's clock. */
export async function holdersOf(
  db: Queryable,
  work: number,
): Promise<{ holder: string; host: string; pid: number }[]> {
  const { rows } = await db.query<{ holder: string; host: string; pid: number }>(
    `select distinct lease.holder, worker.host, worker.pid
     from lease join worker on worker.id = lease.holder
     where lease.work_id = $1 and lease.state = 'held' and lease.expires_at >= now()`,
    [work],
  );
  return rows;
}
