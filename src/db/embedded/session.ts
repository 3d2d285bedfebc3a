import pg from 'pg';
import { codeOf } from '../../base/errors.ts';
import { type Cluster, connectionString } from './cluster.ts';
import { checkHome, isSocketFolderOurs } from './home-files.ts';

/**
 * Two advisory locks coordinate the processes of a data folder: the supervisor holds SUPERVISOR_LOCK, and
 * every process that uses the server holds CLIENT_LOCK in shared mode. The supervisor stops the server only
 * after it got CLIENT_LOCK exclusively, so no client can connect between its last check and the stop.
 */
export const SUPERVISOR_LOCK = '24094, 1';
export const CLIENT_LOCK = '24094, 2';

export type ConnectResult = pg.Client | 'starting' | 'closed';

/**
 * Retryable: 57P01–57P03 starting or stopping, 53300 too many connections; the others, and a bare
 * "terminated" without a code: the server went away during the connect.
 */
const RETRYABLE_CODES = new Set(['57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']);

/**
 * One attempt to reach the server: `starting` while it starts, recovers or stops, `closed` when it is not
 * running.
 */
export async function tryConnect(cluster: Cluster, name: string): Promise<ConnectResult> {
  checkHome(cluster);
  if (!isSocketFolderOurs(cluster)) return 'closed';
  const client = new pg.Client({
    connectionString: connectionString(cluster),
    application_name: name,
    connectionTimeoutMillis: 5_000,
  });
  // Without a listener a lost connection would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'closed';
    if (code === undefined || RETRYABLE_CODES.has(code)) return 'starting';
    throw error;
  }
}

export async function isSupervisorRunning(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ kept: boolean }>(
    `select exists (
       select from pg_locks
       where locktype = 'advisory' and granted and (classid, objid, objsubid) = (24094, 1, 2)
     ) as kept`,
  );
  return rows[0]!.kept;
}

/** Returns true when this session now holds the lock. */
export async function tryLock(client: pg.Client, lock: string, mode: '' | '_shared' = ''): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    `select pg_try_advisory_lock${mode}(${lock}) as held`,
  );
  return rows[0]!.held;
}
