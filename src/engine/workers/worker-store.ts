/** The registry of processes that hold leases. */
import type { Queryable } from '../../db/database.ts';

export async function registerWorker(
  db: Queryable,
  worker: { id: string; host: string; pid: number },
): Promise<void> {
  await db.query('insert into worker (id, host, pid) values ($1, $2, $3)', [
    worker.id,
    worker.host,
    worker.pid,
  ]);
}

export async function removeWorker(db: Queryable, id: string): Promise<void> {
  await db.query('delete from worker where id = $1', [id]);
}

export async function workersOfHost(db: Queryable, host: string): Promise<{ id: string; pid: number }[]> {
  const { rows } = await db.query<{ id: string; pid: number }>('select id, pid from worker where host = $1', [
    host,
  ]);
  return rows;
}

/** A worker that is known to be dead gives up its leases at once instead of when they expire. */
export async function expireLeasesOf(db: Queryable, worker: string): Promise<number> {
  const { rowCount } = await db.query(
    `update lease set expires_at = now() - interval '1 millisecond' where holder = $1 and state = 'held'`,
    [worker],
  );
  return rowCount;
}
