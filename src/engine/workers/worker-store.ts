/** The registry of processes that hold leases, with their progress. */
import type { Queryable } from '../../db/database.ts';
import { sanitizeBytes } from '../../db/sanitize.ts';

export interface WorkerIdentity {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly threads: number;
  readonly concurrency: number;
  readonly role: 'scans' | 'workflows';
  /** The kinds of workflows it runs. */
  readonly workflows: readonly string[];
  /** The code version of each workflow, in the same order; default 1. */
  readonly workflowVersions?: readonly number[];
  /** The only partition that it reads; null: any. */
  readonly partition?: number | null;
  /** The host affinity: the host whose folders it sees. */
  readonly hostAffinity?: string;
}

/** Counters of a worker since it started. */
export interface WorkerProgress {
  readonly objects: number;
  readonly bytes: number;
  readonly findings: number;
  readonly waitedMs: number;
  readonly fencedWrites: number;
  readonly draining: boolean;
}

export async function registerWorker(db: Queryable, worker: WorkerIdentity): Promise<void> {
  await db.query(
    `insert into worker (id, host, pid, version, threads, concurrency, role, workflows, host_affinity, workflow_versions, partition_index,
                         started_at, heartbeat_at, progressed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, clock(), clock(), clock())
     on conflict (id) do nothing`,
    [
      worker.id,
      worker.host,
      worker.pid,
      worker.version,
      worker.threads,
      worker.concurrency,
      worker.role,
      worker.workflows,
      worker.hostAffinity ?? null,
      worker.workflowVersions ?? [],
      worker.partition ?? null,
    ],
  );
}

/** Returns false if the worker was considered dead and removed. */
export async function recordHeartbeat(db: Queryable, id: string, progress: WorkerProgress): Promise<boolean> {
  const { rowCount } = await db.query(
    `update worker
     set heartbeat_at = clock(), objects = $2, bytes = $3, findings = $4, rate_limit_wait_ms = $5, fenced_writes = $6, draining = $7,
         progressed_at = case when objects <> $2 or bytes <> $3 then clock() else progressed_at end
     where id = $1`,
    [
      id,
      progress.objects,
      sanitizeBytes(progress.bytes),
      progress.findings,
      Math.round(progress.waitedMs),
      progress.fencedWrites,
      progress.draining,
    ],
  );
  return rowCount === 1;
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

/** Removes workers whose heartbeat is older than `staleMs`. Their leases have already expired. */
export async function removeStaleWorkers(db: Queryable, staleMs: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `delete from worker where not is_recent(heartbeat_at, $1) returning id`,
    [staleMs],
  );
  return rows.map((row) => row.id);
}

/** Counts workers of scans with a recent heartbeat. */
export async function countWorkers(db: Queryable, withinMs: number): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*) as n from worker where role = 'scans' and is_recent(heartbeat_at, $1)`,
    [withinMs],
  );
  return rows[0]!.n;
}

/**
 * Runners of a kind of workflow with a recent heartbeat: the code version of each, and its partition if
 * that is fixed.
 */
export async function runnerVersions(
  db: Queryable,
  workflow: string,
  withinMs: number,
): Promise<{ version: number; partition: number | null }[]> {
  const { rows } = await db.query<{ version: number; partition: number | null }>(
    `select coalesce(workflow_versions[array_position(workflows, $1)], 1) as version, partition_index as partition
     from worker
     where role = 'workflows' and $1 = any(workflows) and is_recent(heartbeat_at, $2)`,
    [workflow, withinMs],
  );
  return rows;
}

/** Expires the leases of a worker that is known to be dead at once. */
export async function expireLeasesOf(db: Queryable, worker: string): Promise<number> {
  const { rowCount } = await db.query(
    `update range_lease set expires_at = clock() - interval '1 millisecond' where holder = $1 and state = 'held'`,
    [worker],
  );
  return rowCount;
}
