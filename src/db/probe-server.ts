import pg from 'pg';
import { codeOf } from '../base/errors.ts';
import { isTransientDbError } from './db-errors.ts';

/**
 * The result of probing a server from a new connection while statements on others are waiting.
 *
 *   silent    no response at all
 *   refused   the server is reachable but can't be queried, e.g. because it is full
 *   pids      which of the given sessions are running a statement
 *   queries   behind a pooler a session has no pid; the statements that the server is running for this user instead. Empty
 *             also when the pooler has no free session for the query.
 */
export type ServerActivity =
  | { readonly is: 'silent' | 'refused' }
  | { readonly is: 'pids'; readonly running: ReadonlySet<number> }
  | { readonly is: 'queries'; readonly running: readonly string[] };

/** A session whose state is hidden (track_activities = off) counts as running. */
const RUNNING_PIDS = `select pg_backend_pid() as own, array(
  select pid from pg_stat_activity where pid = any($1) and (state is null or state not like 'idle%')) as running`;
const RUNNING_QUERIES = `select query from pg_stat_activity
  where usename = session_user and pid <> pg_backend_pid() and (state is null or state not like 'idle%')`;

export async function probeServer(
  config: pg.ClientConfig,
  pids: readonly number[],
  { isPooled, withinMs }: { isPooled: boolean; withinMs: number },
): Promise<ServerActivity> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: withinMs, query_timeout: withinMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return isPooled ? await runningQueries(client) : await runningPids(client, pids);
  } catch (error) {
    const isSilent = isTransientDbError(error) && !/^[0-9A-Z]{5}$/.test(codeOf(error) ?? '');
    return { is: isSilent ? 'silent' : 'refused' };
  } finally {
    client.end().catch(() => {});
  }
}

async function runningPids(client: pg.Client, pids: readonly number[]): Promise<ServerActivity> {
  const { rows } = await client.query<{ own: number; running: number[] }>(RUNNING_PIDS, [pids]);
  const { own, running } = rows[0]!;
  // A pooler that passes our start-up options on, but reports made-up pids.
  if (own !== pidOf(client)) return runningQueries(client);
  return { is: 'pids', running: new Set(running) };
}

/**
 * A pooler accepts the connection itself; a query may wait until one of its sessions is free, which proves
 * nothing.
 */
async function runningQueries(client: pg.Client): Promise<ServerActivity> {
  try {
    const { rows } = await client.query<{ query: string | null }>(RUNNING_QUERIES);
    return { is: 'queries', running: rows.map(({ query }) => query ?? '') };
  } catch {
    return { is: 'queries', running: [] };
  }
}

/** The server process of this connection, as reported by the server or a pooler. */
export function pidOf(client: pg.ClientBase): number {
  return (client as unknown as { processID: number | null }).processID ?? 0;
}
