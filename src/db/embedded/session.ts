import pg from 'pg';
import { codeOf } from '../../base/errors.ts';
import { type Cluster, connectionString } from './cluster.ts';
import { checkHome, isSocketFolderOurs } from './home-files.ts';

/**
 * Two advisory locks tell the processes of a data folder about each other: the keeper holds KEEPER, and every process that
 * uses the server holds PRESENCE together with the others. The keeper stops the server only after it got PRESENCE
 * for itself alone, so nobody can slip in between its last look and the stop.
 */
export const SUPERVISOR_LOCK = '24094, 1';
export const CLIENT_LOCK = '24094, 2';

export type ConnectResult = pg.Client | 'starting' | 'closed';

/**
 * 57P01–57P03: shutting down, crashed, not ready yet. 53300: every seat is taken. The others, and a bare "terminated" without a
 * code: it died while we stood at the door.
 */
const RETRYABLE_CODES = new Set(['57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'ECONNABORTED', 'EPIPE']);

/** One attempt to reach the server: `starting` while it starts, recovers or stops, `closed` when nobody is there. */
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

/** True when this session now holds the lock. */
export async function tryLock(client: pg.Client, lock: string, mode: '' | '_shared' = ''): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    `select pg_try_advisory_lock${mode}(${lock}) as held`,
  );
  return rows[0]!.held;
}
